// SPDX-License-Identifier: MIT

import Glibc
import Platform

/// The unsent rest of a response.
final class OutgoingResponse {
    enum Progress {
        /// Everything has been sent.
        case done
        /// The socket may accept more, but now it is the turn of other connections.
        case more
        /// The socket is full: watch for `.write`.
        case full
        /// The client has gone, or the body is broken: a file has shrunk, is gone, or cannot be read.
        case broken
    }

    /// The head. If the body consists of bytes, it is included, so that both are sent together.
    let lead: [UInt8]
    private var leadSent = 0
    /// Whether the body is sent separately from the head, and may block on a disk. If so, the client must keep a
    /// minimum pace, and the total time is not limited.
    let isFile: Bool
    /// The unsent parts of files.
    private var rest: ArraySlice<HTTPFilePart>
    /// The file that is being sent.
    private var open: (file: HTTPFile, descriptor: Descriptor)?
    private var sent = 0
    /// The number of bytes that the client had accepted at the last ``hasMoved(by:on:)``.
    private var taken = 0

    /// The maximum number of bytes sent at one time, so that the loop is not delayed. For a file that is not cached,
    /// the loop blocks for as long as reading this much takes.
    private static let chunk = 256 * 1024

    init(_ head: [UInt8], _ body: HTTPBody) {
        switch body {
        case .bytes(let bytes): (lead, rest) = (head + bytes, [])
        case .files(let parts): (lead, rest) = (head, parts.filter { !$0.range.isEmpty }[...])
        }
        isFile = !rest.isEmpty
    }

    /// Whether the client may have received part of the response.
    var hasBegun: Bool { sent > 0 }

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
        guard let next = rest.first else { return .done }
        if open?.file !== next.file { open = next.file.open().map { (next.file, $0) } }
        guard let file = open?.descriptor else { return .broken }
        defer { Self.expect(next.range.dropFirst(Self.chunk).prefix(Self.chunk), of: file) }
        switch socket.send(file, next.range.prefix(Self.chunk)) {
        case .full: return .full
        case .broken, .wrote(0): return .broken
        case .wrote(let count):
            sent += count
            rest[rest.startIndex].range.removeFirst(count)
            if rest[rest.startIndex].range.isEmpty { rest.removeFirst() }
            return rest.isEmpty ? .done : .more
        }
    }

    /// Asks the kernel to read a part ahead, so that sending it does not block on the disk (`posix_fadvise(2)`).
    private static func expect(_ range: Range<Int>, of file: Descriptor) {
        posix_fadvise(file.number, off_t(range.lowerBound), off_t(range.count), POSIX_FADV_WILLNEED)
    }
}
