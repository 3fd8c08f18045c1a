// SPDX-License-Identifier: MIT

package import Platform
package import RadioFormats

/// Reads frames of recorded files for any number of readers, on a thread of its own, which ends with this object. A
/// disk that hangs holds up that thread alone.
package final class FrameThread: Sendable {
    /// A request for frames of a file, from `index` on.
    package struct Request: Sendable {
        /// The reader that makes the request. A reader has one request at a time.
        package var reader: Int
        package var file: FileID
        /// See ``FrameFile/init(path:container:fromFrame:atByte:system:)``.
        package var path: String
        package var container: Container
        package var index: Int64
        /// A frame at or before `index`, and the byte at which it begins.
        package var known: (frame: Int64, byte: Int64)

        package init(
            reader: Int, file: FileID, path: String, container: Container, index: Int64,
            known: (frame: Int64, byte: Int64)
        ) {
            self.reader = reader
            self.file = file
            self.path = path
            self.container = container
            self.index = index
            self.known = known
        }
    }

    private struct Mail {
        var requests: [Request] = []
        /// The reader whose request is being answered; nil if it was cancelled.
        var current: Int?

        mutating func takeNext() -> Request? {
            current = nil
            guard !requests.isEmpty else { return nil }
            let request = requests.removeFirst()
            current = request.reader
            return request
        }
    }

    private let mail = Mailbox(Mail())

    /// Calls `answer` on the thread, once for each request that is not cancelled. Its arguments are the reader and the
    /// frames that it requested, or nil if there are no such frames.
    package init(_ answer: @escaping @Sendable (Int, FileFrames?) -> Void) throws(SystemError) {
        let mail = mail
        try WorkerThread.start(name: "archive") { Self.run(mail, answer) }
    }

    deinit { mail.abandon { _ in } }

    /// Requests frames. A reader makes its next request only after the last answer.
    package func ask(_ request: Request) { mail.put { $0.requests.append(request) } }

    /// Drops the reader's request. If the request is already being answered, it stops before the next read of the file.
    package func cancel(_ reader: Int) {
        mail.withContent { mail in
            mail.requests.removeAll { $0.reader == reader }
            if mail.current == reader { mail.current = nil }
        }
    }

    private static func run(_ mail: Mailbox<Mail>, _ answer: (Int, FileFrames?) -> Void) {
        var open: (id: FileID, file: FrameFile)?
        while let request = mail.take({ $0.takeNext() }) {
            let isWanted = { mail.take { $0.current == request.reader } ?? false }
            var frames: FileFrames?
            do throws(SystemError) {
                let file = try Self.file(for: request, open)
                open = (request.file, file)
                frames = try file.next(from: request.index, isWanted: isWanted)
            } catch {
                // The file was moved, or its disk is gone.
                open = nil
            }
            if isWanted() { answer(request.reader, frames) }
        }
    }

    /// The open file if it has not been read past the wanted frames; otherwise the file, opened at the known place.
    private static func file(
        for request: Request, _ open: (id: FileID, file: FrameFile)?
    ) throws(SystemError) -> FrameFile {
        if let open, open.id == request.file, !open.file.isAtEnd,
            request.known.frame...request.index ~= open.file.position
        {
            return open.file
        }
        return try FrameFile(
            path: request.path, container: request.container, fromFrame: request.known.frame,
            atByte: request.known.byte)
    }
}
