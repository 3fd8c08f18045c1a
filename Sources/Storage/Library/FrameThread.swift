// SPDX-License-Identifier: MIT

package import Platform
package import RadioFormats

/// Reads the frames of recorded files, for any number of readers, on a thread of its own, which ends with this object. A
/// disk that hangs holds up that thread alone.
package final class FrameThread: Sendable {
    /// Frames of a file from one of them on.
    package struct Request: Sendable {
        /// Who asks: only its last request counts.
        package var reader: Int
        package var file: FileID
        /// See ``FrameFile/init(path:container:fromFrame:atByte:system:)``.
        package var path: String
        package var container: Container
        package var index: Int64
        /// A frame at or before that one whose place in the file is known, and that place.
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
        /// Whose request is being answered.
        var current: Int?
        var isClosed = false

        mutating func takeNext() -> Request? {
            current = nil
            guard !requests.isEmpty else { return nil }
            let request = requests.removeFirst()
            current = request.reader
            return request
        }
    }

    private let mail = Monitor(Mail())

    /// `answer` is called on the thread with the reader, once for each request that is not cancelled: nil where there are
    /// no such frames.
    package init(_ answer: @escaping @Sendable (Int, FileFrames?) -> Void) throws(SystemError) {
        let mail = mail
        try WorkerThread.start(name: "archive") { Self.run(mail, answer) }
    }

    deinit {
        mail.withLock { $0.isClosed = true }
        mail.signal()
    }

    /// Asks for frames; again only once the last answer has come.
    package func ask(_ request: Request) {
        mail.withLock { $0.requests.append(request) }
        mail.signal()
    }

    /// Drops the reader's request, and stops one that is under way before its next read of the file.
    package func cancel(_ reader: Int) {
        mail.withLock { mail in
            mail.requests.removeAll { $0.reader == reader }
            if mail.current == reader { mail.current = nil }
        }
    }

    private static func run(_ mail: Monitor<Mail>, _ answer: (Int, FileFrames?) -> Void) {
        var open: (id: FileID, file: FrameFile)?
        while let request = next(mail) {
            let isWanted = { mail.withLock { !$0.isClosed && $0.current == request.reader } }
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

    /// The file that is open where its frames have not been passed, and else the file opened at the place that is known.
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

    /// The next request; nil once nobody asks any more.
    private static func next(_ mail: Monitor<Mail>) -> Request? {
        mail.wait(until: nil) { mail -> Request?? in
            if mail.isClosed { return .some(nil) }
            return mail.takeNext().map { .some($0) }
        } ?? nil
    }
}
