// SPDX-License-Identifier: MIT

import Glibc

/// Captures the output of a process: a pipe, and the bytes kept from it. Confined to the reading thread.
final class Capture {
    private let reading: Descriptor
    private var writing: Descriptor?
    private let limit: Int
    private(set) var captured = SubprocessEnd.Captured()
    private var isOver = false

    private static let bufferSize = 64 << 10
    /// The maximum that one call reads: more than a pipe holds.
    private static let mostAtOnce = 4 << 20

    /// Creates the pipe. Returns nil if the stream is not to be captured.
    init?(_ stream: Command.Stream) throws(SystemError) {
        guard case .captured(let limit) = stream else { return nil }
        let (reading, writing) = try Descriptor.pipe()
        _ = fcntl(reading.number, F_SETFL, O_NONBLOCK)
        (self.reading, self.writing) = (reading, writing)
        self.limit = limit
    }

    /// The writing end, for the process.
    var stream: Command.Stream { writing.map { .descriptor($0.number) } ?? .nothing }

    /// Closes our copy of the writing end, once the process has its own.
    func closeWriting() { writing = nil }

    /// The descriptor to poll; −1, which `poll` ignores, at the end of the stream.
    var descriptor: CInt { isOver ? -1 : reading.number }

    /// Reads the available bytes.
    func read() {
        withUnsafeTemporaryAllocation(byteCount: Self.bufferSize, alignment: 1) { buffer in
            var left = Self.mostAtOnce
            while !isOver, left > 0 {
                let count = Glibc.read(reading.number, buffer.baseAddress, buffer.count)
                guard count > 0 else {
                    if count < 0, errno == EINTR { continue }
                    isOver = count == 0 || errno != EAGAIN
                    return
                }
                left -= count
                captured.count += Int64(count)
                captured.bytes += buffer.prefix(min(count, limit - captured.bytes.count))
            }
        }
    }
}
