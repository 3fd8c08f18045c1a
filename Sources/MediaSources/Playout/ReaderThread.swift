// SPDX-License-Identifier: MIT

import Instants
import Platform
package import RadioCore

/// A feed of files or of standard input. Its own thread reads them, some way ahead of playback.
///
/// The loop takes the available steps from a bounded queue and never waits. The reader's thread blocks while the queue is
/// full. The reader's thread ends some time after ``close()`` and is not joined, because it may hang in a call to a disk
/// that does not respond.
package final class ReaderThread: PlayoutFeed {
    private let queue: EventQueue
    private let stop: StopFlag

    /// Starts the thread. Throws if that fails.
    package init(_ plan: MediaPlan) throws(Failure) {
        let queue = EventQueue()
        self.queue = queue
        do throws(SystemError) {
            let stop = try StopFlag()
            self.stop = stop
            try WorkerThread.start(name: "reader") { Self.run(plan, queue, stop) }
        } catch {
            throw Failure(
                .internal, "the thread that reads files could not be started: \(error)",
                remedy: "end other programs, or raise the limit of open files (ulimit -n)")
        }
    }

    deinit { close() }

    package func next() -> PlayoutStep? { queue.take() }

    package func close() {
        stop.raise()
        queue.close()
    }

    private static func run(_ plan: MediaPlan, _ queue: EventQueue, _ stop: StopFlag) {
        let supply = FileSupply(plan.source, stop: stop)
        // Standard input can be read only once.
        let repeats = plan.repeats && supply.mayChange
        let playout = Playout(supply, shuffleSeed: plan.shuffleSeed, repeats: repeats)
        while !stop.isRaised {
            switch playout.next() {
            case nil: break
            case .idle: queue.rest(for: idleTime)
            case .ended(let failure):
                queue.put(.ended(failure))
                return
            case .some(let step): queue.put(step)
            }
        }
    }

    /// How long to wait before looking again for something that can be played.
    private static let idleTime = Duration.seconds(5)
}
