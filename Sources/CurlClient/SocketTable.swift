// SPDX-License-Identifier: MIT

import EventLoop

/// The open sockets of a client's transfers, and the descriptors that curl wants watched.
///
/// curl also wants descriptors of its resolver watched, which no transfer owns. When a paused transfer is resumed, curl
/// requests a new watch of its socket, so the information that a socket is coalesced is not kept in the watch.
final class SocketTable {
    private let reactor: any Reactor
    private let onReady: (CInt, Readiness) -> Void
    /// The transfer that owns each open socket.
    private var owners: [CInt: ObjectIdentifier] = [:]
    private var watches: [CInt: any SocketWatch] = [:]
    /// The sockets that may be reported late; see ``SocketWatch/isCoalesced``.
    private var coalesced: Set<CInt> = []

    /// `onReady` is called with a watched descriptor that is ready, in a turn of its own.
    init(_ reactor: any Reactor, onReady: @escaping (CInt, Readiness) -> Void) {
        (self.reactor, self.onReady) = (reactor, onReady)
    }

    /// The open sockets of a transfer: one, unless it is trying several addresses in parallel.
    func sockets(of transfer: Transfer) -> [CInt] {
        owners.filter { $0.value == ObjectIdentifier(transfer) }.map(\.key)
    }

    /// Makes a transfer the owner of its new socket, if anybody. If the previous socket with the same number has left a watch, the
    /// watch is useless, and is cancelled.
    func opened(_ descriptor: CInt, by transfer: Transfer?) {
        unwatch(descriptor)
        owners[descriptor] = transfer.map { ObjectIdentifier($0) }
    }

    /// Forgets a socket that is about to close.
    func closing(_ descriptor: CInt) {
        owners[descriptor] = nil
        coalesced.remove(descriptor)
        unwatch(descriptor)
    }

    func watch(_ descriptor: CInt, for interest: Readiness) {
        let watch = watches[descriptor] ?? reactor.watch(descriptor) { [onReady] in onReady(descriptor, $0) }
        watches[descriptor] = watch
        watch.isCoalesced = coalesced.contains(descriptor)
        watch.interest = interest
    }

    func unwatch(_ descriptor: CInt) {
        watches.removeValue(forKey: descriptor)?.cancel()
    }

    /// Sets whether a socket may be reported late; see ``SocketWatch/isCoalesced``.
    func coalesce(_ descriptor: CInt, _ isCoalesced: Bool) {
        if isCoalesced { coalesced.insert(descriptor) } else { coalesced.remove(descriptor) }
        watches[descriptor]?.isCoalesced = isCoalesced
    }

    /// Cancels all watches and forgets all sockets.
    func removeAll() {
        for watch in watches.values { watch.cancel() }
        (watches, owners, coalesced) = ([:], [:], [])
    }
}
