// SPDX-License-Identifier: MIT

package import Platform
package import RadioFormats

/// Reads the frames of recorded files on a thread of its own, which ends with this object. A disk that hangs holds up
/// that thread alone.
package final class FrameThread: Sendable {
    /// Frames of a file from one of them on.
    package struct Request: Sendable {
        package var file: FileID
        /// See ``FrameFile/init(path:container:system:)``.
        package var path: String
        package var container: Container
        package var index: Int64

        package init(file: FileID, path: String, container: Container, index: Int64) {
            self.file = file
            self.path = path
            self.container = container
            self.index = index
        }
    }

    private struct Mail {
        var request: Request?
        var isClosed = false
    }

    private let mail = Monitor(Mail())

    /// `answer` is called on the thread, once for each request: nil where there are no such frames.
    package init(_ answer: @escaping @Sendable (FileFrames?) -> Void) throws(SystemError) {
        let mail = mail
        try WorkerThread.start(name: "archive") { Self.run(mail, answer) }
    }

    deinit {
        mail.withLock { $0.isClosed = true }
        mail.signal()
    }

    /// Asks for frames; again only once the last answer has come.
    package func ask(_ request: Request) {
        mail.withLock { $0.request = request }
        mail.signal()
    }

    private static func run(_ mail: Monitor<Mail>, _ answer: (FileFrames?) -> Void) {
        var open: (id: FileID, file: FrameFile)?
        while let request = next(mail) {
            do throws(SystemError) {
                let isAhead = open.map { $0.file.isAtEnd || $0.file.position > request.index } ?? true
                if open?.id != request.file || isAhead {
                    open = (request.file, try FrameFile(path: request.path, container: request.container))
                }
                answer(try open?.file.next(from: request.index))
            } catch {
                // The file was moved, or its disk is gone: there is newer audio in the ring.
                open = nil
                answer(nil)
            }
        }
    }

    /// The next request; nil once nobody asks any more.
    private static func next(_ mail: Monitor<Mail>) -> Request? {
        mail.wait(until: nil) { mail -> Request?? in
            if mail.isClosed { return .some(nil) }
            return mail.request.take().map { .some($0) }
        } ?? nil
    }
}
