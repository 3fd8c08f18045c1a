// SPDX-License-Identifier: MIT

import Glibc
package import Instants
package import Platform
import RadioFormats

/// Appends lines to an access log on a thread of its own, so that no disk holds up the loop.
///
/// Sendable. Before each write, the thread checks whether the file has been renamed or removed, and if so opens it
/// again, so logrotate needs no signal. Lines that cannot be written are lost and counted. Of a series of failures,
/// only the first is reported; then the first success is reported.
package final class AccessLogFile: Sendable {
    /// Where the lines go.
    package enum Destination: Hashable, Sendable {
        case file(path: String)
        case standardError

        /// `-` is standard error.
        package init(path: String) { self = path == "-" ? .standardError : .file(path: path) }
    }

    /// An event of the thread.
    package enum Notice: Hashable, Sendable {
        case failed(Destination, SystemError)
        /// The log can be written again; `lost` is the number of lines that are missing from it.
        case works(lost: Int)
    }

    private struct Queue {
        var text: [UInt8] = []
        /// The number of lines dropped since the last write, because the queue was full.
        var dropped = 0

        mutating func takeAll() -> Queue? {
            guard !text.isEmpty else { return nil }
            defer { self = Queue() }
            return self
        }
    }

    private let queue = Mailbox(Queue())
    private let thread: WorkerThread

    /// The most bytes queued while the disk hangs: some 10,000 lines.
    private static let mostWaiting = 2 << 20

    /// Starts the thread, which opens the file. `tell` is called on the thread.
    package init(_ destination: Destination, tell: @escaping @Sendable (Notice) -> Void) throws(SystemError) {
        thread = try WorkerThread.start(name: "access log") { [queue] in
            var writer = AccessLogWriter(destination)
            var (hasFailed, lost) = (false, 0)
            // Opens the file before the first line, so that a wrong path is noticed at the start.
            if let error = writer.write([]) {
                tell(.failed(destination, error))
                hasFailed = true
            }
            while let next = queue.take({ $0.takeAll() }) {
                lost += next.dropped
                if let error = writer.write(next.text) {
                    lost += next.text.count { $0 == UInt8(ascii: "\n") }
                    if !hasFailed { tell(.failed(destination, error)) }
                    hasFailed = true
                } else {
                    if hasFailed || lost > 0 { tell(.works(lost: lost)) }
                    (hasFailed, lost) = (false, 0)
                }
            }
            writer.close()
        }
    }

    /// Queues a line, given without a line end. Never blocks.
    package func append(_ line: String) {
        queue.put { queue in
            guard queue.text.count + line.utf8.count < Self.mostWaiting else { return queue.dropped += 1 }
            queue.text += Array(line.utf8) + [UInt8(ascii: "\n")]
        }
    }

    /// Ends the thread after it has written all queued lines. Blocks until then, or until the deadline.
    package func close(until deadline: MonotonicInstant) {
        queue.close()
        _ = thread.join(until: deadline)
    }
}

/// The open file. Confined to the thread.
private struct AccessLogWriter {
    private let destination: AccessLogFile.Destination
    private var descriptor: CInt = -1

    /// Readable by the group, as log files are.
    private static let mode: mode_t = 0o640

    init(_ destination: AccessLogFile.Destination) {
        self.destination = destination
    }

    /// Writes the text. Returns an error if not all of it could be written.
    mutating func write(_ text: [UInt8]) -> SystemError? {
        do throws(SystemError) {
            try openIfNeeded()
            try writeAll(text, to: descriptor)
            return nil
        } catch {
            close()
            return error
        }
    }

    mutating func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }

    private mutating func openIfNeeded() throws(SystemError) {
        guard case .file(let path) = destination else {
            if descriptor < 0 { descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3) }
            guard descriptor >= 0 else { throw SystemError(number: errno) }
            return
        }
        if descriptor >= 0, !isStillAt(path) { close() }
        guard descriptor < 0 else { return }
        // With O_NONBLOCK, a pipe that nobody reads is an error. Without it, opening that pipe would never end.
        descriptor = open(path.pathBytes, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, Self.mode)
        guard descriptor >= 0 else { throw SystemError(number: errno) }
        // Writing waits for a slow reader, so that no line is cut.
        _ = fcntl(descriptor, F_SETFL, O_APPEND)
    }

    /// Whether the path still names the open file.
    private func isStillAt(_ path: String) -> Bool {
        var (named, opened) = (Glibc.stat(), Glibc.stat())
        guard stat(path.pathBytes, &named) == 0, fstat(descriptor, &opened) == 0 else { return false }
        return named.st_dev == opened.st_dev && named.st_ino == opened.st_ino
    }
}
