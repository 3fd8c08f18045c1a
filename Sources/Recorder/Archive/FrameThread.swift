// SPDX-License-Identifier: MIT

import EventLoop
import Platform
import RadioFormats
import Storage

/// Reads the frames of recorded files on a thread of its own, which ends with this object. A disk that hangs holds up
/// that thread alone.
final class FrameThread: Sendable {
    /// Frames of a file from one of them on.
    struct Request: Sendable {
        var file: FileID
        var path: String
        var container: Container
        var index: Int64
    }

    private struct Mail {
        var request: Request?
        var isClosed = false
    }

    private let mail = Monitor(Mail())

    /// `answer` is called on the thread, once for each request: nil where there are no such frames.
    init(_ answer: @escaping @Sendable (FileFrames?) -> Void) throws(SystemError) {
        let mail = mail
        try WorkerThread.start(name: "archive") { Self.run(mail, answer) }
    }

    deinit {
        mail.withLock { $0.isClosed = true }
        mail.signal()
    }

    func ask(_ request: Request) {
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
