// SPDX-License-Identifier: MIT

package import EventLoop
import Instants
import Platform
package import RadioCore

/// Reads one file on its own thread, one event for each ``proceed()``. The loop never waits for this
/// thread, because it may hang with the disk.
package final class ItemReader {
    /// An event of the thread. After each event but the last one, ``Event/waiting``, ``Event/leftOut(bytes:)`` and
    /// ``Event/mayBeIncomplete``, the thread waits for ``proceed()``.
    package enum Event: Sendable {
        /// The file is open. This is the first event, unless opening fails.
        case opened(ItemOpening)
        case parts(StreamParts)
        /// All of the file has been read, but it may still grow.
        case waiting
        /// Attachments of this size, such as a cover, are left out.
        case leftOut(bytes: Int64)
        /// The last parts follow, but the file may have been cut off: see ``ItemFraming/mayBeIncomplete``.
        case mayBeIncomplete
        /// The last parts of the file.
        case last(StreamParts)
        case failed(Failure)
    }

    package var onEvent: ((Event) -> Void)?
    /// The number of events that the thread may deliver.
    private let leave = Mailbox(0)

    /// Starts the thread, which opens the file.
    package init(
        _ path: String, from start: Duration, reactor: any Reactor, onEvent: @escaping (Event) -> Void
    ) throws(Failure) {
        self.onEvent = onEvent
        let bound = LoopBound<ItemReader>(reactor)
        bound.bind(self)
        let leave = leave
        try MediaThread.start("item", which: "reads files") {
            Self.run(path, start, leave) { event in bound.tell { $0.onEvent?(event) } }
        }
    }

    deinit { close() }

    /// Requests the next event. Call it after the last event has been handled.
    package func proceed() { leave.put { $0 += 1 } }

    /// Stops the thread; no event follows. Idempotent.
    package func close() {
        onEvent = nil
        leave.abandon { _ in }
    }

    private static func run(
        _ path: String, _ start: Duration, _ leave: Mailbox<Int>, _ tell: (Event) -> Void
    ) {
        do throws(Failure) {
            var framing = try ItemFraming(path, from: start)
            tell(.opened(framing.opening))
            while leave.take({ $0 > 0 ? ($0 -= 1) : nil }) != nil {
                var parts = try framing.next()
                if framing.isWaiting, parts.frames == 0 { tell(.waiting) }
                while framing.isWaiting, parts.frames == 0 {
                    guard leave.rest(for: growthInterval) else { return }
                    parts = try framing.next()
                }
                if let bytes = framing.takeAttachments() { tell(.leftOut(bytes: bytes)) }
                guard framing.isOver else {
                    tell(.parts(parts))
                    continue
                }
                if framing.mayBeIncomplete { tell(.mayBeIncomplete) }
                return tell(framing.hasAudio ? .last(parts) : .failed(noAudio))
            }
        } catch {
            tell(.failed(error))
        }
    }

    private static let noAudio = Failure(
        .notAudio, "it holds no audio", remedy: "give audio files, such as MP3, AAC, Ogg or FLAC")

    /// How often a file that may still grow is read again.
    private static let growthInterval = Duration.milliseconds(250)
}
