// SPDX-License-Identifier: MIT

import Glibc

/// What comes out of a process: a pipe, and what of its bytes is kept. Confined to the thread that reads.
final class Capture {
    private let reading: Descriptor
    private var writing: Descriptor?
    private let limit: Int
    private(set) var captured = SubprocessEnd.Captured()
    private var isOver = false

    private static let bufferSize = 64 << 10
    /// What one call reads at most: more than a pipe holds.
    private static let mostAtOnce = 4 << 20

    /// Makes the pipe; nil where a stream is not to be captured.
    init?(_ stream: Command.Stream) throws(SystemError) {
        guard case .captured(let limit) = stream else { return nil }
        let (reading, writing) = try Descriptor.pipe()
        _ = fcntl(reading.number, F_SETFL, O_NONBLOCK)
        (self.reading, self.writing) = (reading, writing)
        self.limit = limit
    }

    /// The end for the process.
    var stream: Command.Stream { writing.map { .descriptor($0.number) } ?? .nothing }

    /// The process has its end: from now on nobody else.
    func closeWriting() { writing = nil }

    /// What to wait on; −1, which `poll` ignores, once nothing more will come.
    var descriptor: CInt { isOver ? -1 : reading.number }

    /// Reads what is there.
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
