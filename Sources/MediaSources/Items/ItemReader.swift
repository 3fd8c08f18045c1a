// SPDX-License-Identifier: MIT

package import EventLoop
import Instants
import Platform
package import RadioCore

/// Reads one file on its own thread, one event for each ``proceed()``. The object is confined to the loop's thread, which
/// never waits for the reading thread, because that may hang with the disk.
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

    /// What the thread may still do: the number of events it may deliver, and whether it has to end.
    private struct Leave {
        var steps = 0
        var isClosed = false
    }

    package var onEvent: ((Event) -> Void)?
    private let leave = Monitor(Leave())

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
    package func proceed() {
        leave.withLock { $0.steps += 1 }
        leave.signal()
    }

    /// Stops the thread; no event follows. Idempotent.
    package func close() {
        onEvent = nil
        leave.withLock { $0.isClosed = true }
        leave.signal()
    }

    private static func run(
        _ path: String, _ start: Duration, _ leave: Monitor<Leave>, _ tell: (Event) -> Void
    ) {
        do throws(Failure) {
            var framing = try ItemFraming(path, from: start)
            tell(.opened(framing.opening))
            while mayStep(leave) {
                var parts = try framing.next()
                if framing.isWaiting, parts.frames == 0 { tell(.waiting) }
                while framing.isWaiting, parts.frames == 0 {
                    guard mayLookAgain(leave) else { return }
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

    /// Blocks for `growthInterval`. Returns false if the reader is closed.
    private static func mayLookAgain(_ leave: Monitor<Leave>) -> Bool {
        leave.wait(until: .read() + growthInterval) { $0.isClosed ? true : nil } == nil
    }

    private static let growthInterval = Duration.milliseconds(250)

    private static func mayStep(_ leave: Monitor<Leave>) -> Bool {
        leave.wait(until: nil) { leave -> Bool? in
            if leave.isClosed { return false }
            guard leave.steps > 0 else { return nil }
            leave.steps -= 1
            return true
        } ?? false
    }
}
