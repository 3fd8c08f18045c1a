// SPDX-License-Identifier: MIT

import Glibc
import RadioCore

/// What is left to be sent of a response. Confined to the loop's thread.
final class OutgoingResponse {
    enum Progress {
        /// All is sent.
        case done
        /// The socket may take more, but others should have their turn.
        case more
        /// Watch for `.write`.
        case full
        /// The client is gone, or what was to be sent is: a file has shrunk, or cannot be read.
        case broken
    }

    /// The head, and with it a body that is bytes: they go together.
    let lead: [UInt8]
    private var leadSent = 0
    private var rest: HTTPBody
    private var sent = 0
    /// Bytes that the client had taken when its pace was looked at.
    private var taken = 0

    /// How much is sent at one time, so that nobody holds up the loop. Of a file that is not in memory yet, this is
    /// what the loop waits for.
    private static let chunk = 256 * 1024
    private static let slicesAtOnce = 16

    init(_ head: [UInt8], _ body: HTTPBody) {
        if case .bytes(let bytes) = body {
            (lead, rest) = (head + bytes, .bytes([]))
        } else {
            (lead, rest) = (head, body)
        }
    }

    /// Whether the body is sent by itself, however long it is: then it is the client's pace that counts.
    var isLong: Bool {
        if case .bytes = rest { false } else { true }
    }

    /// Whether the client may have got some of it already.
    var hasBegun: Bool { sent > 0 }

    /// Whether sending may mean to wait for a disk.
    var isFile: Bool {
        if case .file = rest { true } else { false }
    }

    /// Whether the client has taken so many bytes since the last time, or since the beginning.
    func hasMoved(by least: Int, on socket: HTTPSocket) -> Bool {
        let before = taken
        taken = sent - socket.unsentCount
        return taken - before >= least
    }

    /// Sends as much as goes without waiting, but no more than is good for the others.
    func send(to socket: HTTPSocket) -> Progress {
        if leadSent < lead.count {
            let result = lead.withUnsafeBytes {
                socket.send(UnsafeRawBufferPointer(rebasing: $0[leadSent...]), isAll: !isLong)
            }
            guard case .wrote(let count) = result else { return result == .full ? .full : .broken }
            (leadSent, sent) = (leadSent + count, sent + count)
            guard leadSent == lead.count else { return .full }
        }
        let left = rest.count
        guard left > 0 else { return .done }
        switch sendRest(to: socket) {
        case .full: return .full
        case .broken, .wrote(0): return .broken
        case .wrote(let count):
            sent += count
            rest = rest.part(count..<left)
            return count == left ? .done : .more
        }
    }

    private func sendRest(to socket: HTTPSocket) -> HTTPSocket.Sent {
        switch rest {
        case .bytes: return .wrote(0)
        case .slices(let slices): return Self.send(slices.prefix(Self.slicesAtOnce), to: socket)
        case .file(let file, let range):
            defer { file.expect(range.dropFirst(Self.chunk).prefix(Self.chunk)) }
            return socket.send(file, range.prefix(Self.chunk))
        }
    }

    private static func send(_ slices: ArraySlice<SlabSlice>, to socket: HTTPSocket) -> HTTPSocket.Sent {
        withUnsafeTemporaryAllocation(of: iovec.self, capacity: slicesAtOnce) { pieces in
            for (index, slice) in slices.enumerated() {
                // The slab neither moves nor goes while its slice is here.
                let bytes = slice.withBytes { $0 }
                pieces[index] = iovec(
                    iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
            }
            return socket.send(UnsafeMutableBufferPointer(rebasing: pieces[..<slices.count]))
        }
    }
}
