// SPDX-License-Identifier: MIT

package import EventLoop
import Platform
package import RadioCore

/// Reads media on a thread of its own, some way ahead of playback.
///
/// The loop takes the available steps from a bounded queue and never waits. The reader's thread blocks while the queue
/// is full. It ends some time after ``close()`` and is not joined, because it may hang in a call to a disk that does
/// not respond.
package final class ReaderThread: StepSource {
    /// Called when there are steps again after ``next()`` has returned nil, or for the first time.
    package var onSteps: (() -> Void)?
    private let queue = StepQueue()
    private let stop: StopFlag

    /// Plays files or standard input. Throws if the thread cannot be started.
    package convenience init(_ plan: MediaPlan, reactor: any Reactor) throws(Failure) {
        try self.init(reactor: reactor) { stop in
            let supply = FileSupply(plan.input, stop: stop)
            // Standard input can be read only once.
            return Playout(supply, shuffleSeed: plan.shuffleSeed, repeats: plan.repeats && supply.mayChange)
        }
    }

    /// Reads one file from a position on.
    package convenience init(
        _ path: String, from start: Duration, reactor: any Reactor, onSteps: @escaping () -> Void
    ) throws(Failure) {
        try self.init(reactor: reactor) { (_) throws(Failure) in try ItemFraming(path, from: start) }
        self.onSteps = onSteps
    }

    private init(
        reactor: any Reactor, _ open: @escaping @Sendable (StopFlag) throws(Failure) -> any StepSource
    ) throws(Failure) {
        stop = try MediaThread.stopFlag(which: "reads files")
        let bound = LoopBound<ReaderThread>(reactor)
        let (queue, stop) = (queue, stop)
        try MediaThread.start("reader", which: "reads files") {
            Self.run(queue, stop, open) { bound.tell { $0.onSteps?() } }
        }
        bound.bind(self)
    }

    deinit { close() }

    package func next() -> MediaStep? { queue.take() }

    package func close() {
        onSteps = nil
        stop.raise()
        queue.close()
    }

    private static func run(
        _ queue: StepQueue, _ stop: StopFlag, _ open: (StopFlag) throws(Failure) -> any StepSource,
        _ tell: () -> Void
    ) {
        func put(_ step: MediaStep) { if queue.put(step) == true { tell() } }
        do throws(Failure) {
            let source = try open(stop)
            var isIdle = false
            while !stop.isRaised {
                guard let step = source.next() else { continue }
                let wasIdle = isIdle
                isIdle = false
                switch step {
                case .idle(let duration):
                    isIdle = true
                    if !wasIdle { put(step) }
                    queue.rest(for: duration)
                case .ended: return put(step)
                default: put(step)
                }
            }
        } catch {
            put(.ended(error))
        }
    }
}
