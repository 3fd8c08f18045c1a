// SPDX-License-Identifier: MIT

package import EventLoop
import Instants
import Platform
package import RadioCore

/// Reads one file on a thread of its own, as far ahead as it is let. The object is confined to the loop's thread, which
/// never waits for it: the disk may hang, and the thread with it.
package final class ItemReader {
    /// What the thread says, in order; behind each but the last it waits for ``goOn()``.
    package enum Event: Sendable {
        /// The file is open. The first thing that is said, unless it cannot be.
        case opened(ItemOpening)
        case parts(StreamParts)
        /// What comes last, with which it has ended.
        case last(StreamParts)
        case failed(Failure)
    }

    /// What the thread may do.
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

    /// The last event has been dealt with, and more is wanted.
    package func goOn() {
        leave.withLock { $0.steps += 1 }
        leave.signal()
    }

    /// Nothing more is wanted. Idempotent.
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
                while framing.isWaiting, parts.frames == 0 {
                    guard mayLookAgain(leave) else { return }
                    parts = try framing.next()
                }
                guard framing.isOver else {
                    tell(.parts(parts))
                    continue
                }
                return tell(framing.hasAudio ? .last(parts) : .failed(noAudio))
            }
        } catch {
            tell(.failed(error))
        }
    }

    private static let noAudio = Failure(
        .notAudio, "it holds no audio", remedy: "give files of audio, such as MP3, AAC, Ogg or FLAC")

    /// After some time, unless it is closed.
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
