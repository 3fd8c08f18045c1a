// SPDX-License-Identifier: MIT

import CLibCurl
import Glibc

// The functions that curl calls, which look up our objects in their contexts. The contexts are not retained: a client
// outlives its multi, and thus all of curl's calls; and the client retains a transfer for as long as its handle exists.

extension ac_curl_multi_hooks {
    init(of client: CurlClient) {
        self.init(context: Unmanaged.passUnretained(client).toOpaque(), watch: watchHook, set_timer: setTimerHook)
    }
}

extension ac_curl_hooks {
    init(of transfer: Transfer, by client: CurlClient) {
        self.init(
            context: Unmanaged.passUnretained(transfer).toOpaque(), open_socket: openSocketHook,
            close_socket: closeSocketHook, socket_owner: Unmanaged.passUnretained(client).toOpaque(),
            securing: securingHook, sending: sendingHook, header: headerHook, body: bodyHook,
            outgoing: outgoingHook)
    }
}

private func client(_ context: UnsafeMutableRawPointer) -> CurlClient {
    Unmanaged<CurlClient>.fromOpaque(context).takeUnretainedValue()
}

private func transfer(_ context: UnsafeMutableRawPointer) -> Transfer {
    Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
}

private func watchHook(_ context: UnsafeMutableRawPointer, _ descriptor: CInt, _ what: CInt) {
    client(context).watch(descriptor, what)
}

private func setTimerHook(_ context: UnsafeMutableRawPointer, _ milliseconds: Int) {
    client(context).setTimer(milliseconds)
}

private func openSocketHook(
    _ context: UnsafeMutableRawPointer, _ family: CInt, _ type: CInt, _ protocol: CInt,
    _ address: UnsafeRawPointer, _ length: Int
) -> CInt {
    transfer(context).openSocket(
        family: family, type: type, protocol: `protocol`,
        address: UnsafeRawBufferPointer(start: address, count: length))
}

private func closeSocketHook(_ owner: UnsafeMutableRawPointer, _ descriptor: CInt) -> CInt {
    client(owner).sockets.closing(descriptor)
    return close(descriptor)
}

private func securingHook(_ context: UnsafeMutableRawPointer) -> Bool {
    transfer(context).securing()
}

private func sendingHook(_ context: UnsafeMutableRawPointer, _ peer: UnsafePointer<CChar>) -> Bool {
    transfer(context).sending(to: String(cString: peer))
}

private func headerHook(_ context: UnsafeMutableRawPointer, _ bytes: UnsafePointer<CChar>, _ count: Int) -> Bool {
    transfer(context).takeHeader(UnsafeRawBufferPointer(start: bytes, count: count))
}

private func bodyHook(
    _ context: UnsafeMutableRawPointer, _ bytes: UnsafePointer<CChar>, _ count: Int
) -> ac_curl_verdict {
    transfer(context).takePiece(UnsafeRawBufferPointer(start: bytes, count: count))
}

private func outgoingHook(
    _ context: UnsafeMutableRawPointer, _ offset: Int64, _ bytes: UnsafeMutablePointer<CChar>, _ room: Int
) -> Int {
    transfer(context).giveBody(at: Int(offset), to: UnsafeMutableRawBufferPointer(start: bytes, count: room))
}
