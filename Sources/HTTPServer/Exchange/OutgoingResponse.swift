// SPDX-License-Identifier: MIT

/// The unsent rest of a response.
final class OutgoingResponse {
    enum Progress {
        /// Everything has been sent.
        case done
        /// The socket may accept more, but now it is the turn of other connections.
        case more
        /// The socket is full: watch for `.write`.
        case full
        /// The client has gone, or the body is broken: a file has shrunk, or cannot be read.
        case broken
    }

    /// The head. If the body consists of bytes, it is included, so that both are sent together.
    let lead: [UInt8]
    private var leadSent = 0
    private var rest: HTTPBody
    private var sent = 0
    /// The number of bytes that the client had accepted at the last ``hasMoved(by:on:)``.
    private var taken = 0

    /// The maximum number of bytes sent at one time, so that the loop is not delayed. For a file that is not cached,
    /// the loop blocks for as long as reading this much takes.
    private static let chunk = 256 * 1024

    init(_ head: [UInt8], _ body: HTTPBody) {
        if case .bytes(let bytes) = body {
            (lead, rest) = (head + bytes, .bytes([]))
        } else {
            (lead, rest) = (head, body)
        }
    }

    /// Whether the client may have received part of the response.
    var hasBegun: Bool { sent > 0 }

    /// Whether the body is sent separately from the head, and may block on a disk. If so, the client must keep a minimum
    /// pace, and the total time is not limited.
    var isFile: Bool {
        if case .files = rest { true } else { false }
    }

    /// Whether the client has accepted `least` bytes since the last call, or since the beginning.
    func hasMoved(by least: Int, on socket: HTTPSocket) -> Bool {
        let before = taken
        taken = sent - socket.unsentCount
        return taken - before >= least
    }

    /// Sends as much as possible without blocking, up to a limit that leaves other connections their turn.
    func send(to socket: HTTPSocket) -> Progress {
        if leadSent < lead.count {
            let result = lead.withUnsafeBytes {
                socket.send(UnsafeRawBufferPointer(rebasing: $0[leadSent...]), isAll: !isFile)
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
        case .files(let parts):
            guard let next = parts.first(where: { !$0.range.isEmpty }) else { return .wrote(0) }
            defer { next.file.expect(next.range.dropFirst(Self.chunk).prefix(Self.chunk)) }
            return socket.send(next.file, next.range.prefix(Self.chunk))
        }
    }
}
