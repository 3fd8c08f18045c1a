// SPDX-License-Identifier: MIT

package import Platform
package import RadioFormats

/// Reads frames of recorded files for any number of readers, on a thread of its own, which ends with this object. A
/// disk that hangs holds up that thread alone.
package final class FrameThread: Sendable {
    /// A file as it is between two changes of its frames.
    package struct FileState: Hashable, Sendable {
        let file: FileID
        let revision: Int

        package init(_ file: FileID, revision: Int) { (self.file, self.revision) = (file, revision) }
    }

    /// A request for frames of a file, from `index` on.
    private struct Request: Sendable {
        let reader: Int
        let file: FileState
        let path: String
        let container: Container
        let index: Int64
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

    /// Requests frames of a file for a reader, from `index` on. A reader makes its next request only after the last
    /// answer. `path`: see ``FrameFile/init(path:container:from:system:)``.
    package func ask(for reader: Int, _ file: FileState, at path: String, _ container: Container, from index: Int64) {
        let request = Request(reader: reader, file: file, path: path, container: container, index: index)
        mail.put { $0.requests.append(request) }
    }

    /// Drops the reader's request. If the request is already being answered, it stops before the next read of the file.
    package func cancel(_ reader: Int) {
        mail.withContent { mail in
            mail.requests.removeAll { $0.reader == reader }
            if mail.current == reader { mail.current = nil }
        }
    }

    private static func run(_ mail: Mailbox<Mail>, _ answer: (Int, FileFrames?) -> Void) {
        var open: (id: FileState, file: FrameFile)?
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

    /// The open file if it has not been read past the wanted frames, and is not far before them; otherwise the file,
    /// opened for them.
    private static func file(
        for request: Request, _ open: (id: FileState, file: FrameFile)?
    ) throws(SystemError) -> FrameFile {
        let rest = open.map { request.index - $0.file.position } ?? -1
        let isOpen = open?.id == request.file && open?.file.isAtEnd == false && rest >= 0
        if isOpen, rest < Self.near, let open { return open.file }
        let file = try FrameFile(path: request.path, container: request.container, from: request.index)
        // Without an index, it begins at its start.
        if isOpen, let open, open.file.position > file.position { return open.file }
        return file
    }

    /// Fewer frames than these are read on the way.
    private static let near: Int64 = 1_024
}
