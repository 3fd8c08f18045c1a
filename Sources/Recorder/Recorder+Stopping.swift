// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import Storage

// The end.
extension Recorder {
    /// How a stop stands.
    struct Stop {
        var completion: (RecordingReport) -> Void
        var timer: any ReactorTimer
        /// Everything that can be completed is complete, and the writer was asked to detach.
        var isDetaching = false
        /// Nothing is begun any more.
        var isGivingUp = false
    }

    /// Closes everything properly and then reports; at the latest a second after `patience`, also with a disk that
    /// hangs. Only the first call counts.
    package func stop(patience: Duration = .seconds(7), completion: @escaping (RecordingReport) -> Void) {
        guard stopping == nil else { return }
        resumeSource()
        run(planner.finish(now: reactor.wallNow))
        let timer = reactor.makeTimer { [weak self] in self?.giveUp() }
        stopping = Stop(completion: completion, timer: timer)
        timer.arm(at: reactor.now + patience)
        detachWhenDone()
    }

    /// Ends a stop that is under way within `patience`.
    package func hurry(_ patience: Duration) {
        guard let stop = stopping, !stop.isGivingUp else { return }
        stop.timer.arm(at: reactor.now + patience)
    }

    func detachWhenDone() {
        guard let stop = stopping, !stop.isDetaching, current == nil, ending.isEmpty else { return }
        stopping?.isDetaching = true
        endAccounts()
        writer.detach()
    }

    /// The disk takes nothing: what waits is lost, what is written stays as `.part`.
    private func giveUp() {
        guard let stop = stopping else { return }
        writer.giveUp()
        stopping?.isGivingUp = true
        let timer = reactor.makeTimer { [weak self] in self?.endStop() }
        stopping?.timer = timer
        stop.timer.cancel()
        timer.arm(at: reactor.now + Self.lastPatience)
    }

    func endStop() {
        guard let stop = stopping else { return }
        stop.timer.cancel()
        leaveHanging()
        endAccounts()
        report.failure = unfinished ?? failing?.failure
        report.take(ledger)
        let completion = stop.completion
        stopping?.completion = { _ in }
        completion(report)
    }

    /// Leaves the files that hang with their disk. Data that has not left the queue is lost, and the newest files lack
    /// it.
    private func leaveHanging() {
        let hanging = ending + [current].compactMap { $0 }
        ending = []
        current = nil
        var waiting = writer.waiting
        let before = report.segments.count
        for file in hanging.reversed() {
            let path = (file.path ?? "\(file.spec.name).\(file.spec.fileExtension)") + ".part"
            let facts = file.ledger.facts(without: &waiting, path: path)
            leave(file, facts, failing ?? StorageError(code: .notAnswering, action: .complete, path: path))
        }
        report.segments[before...].reverse()
    }

    private static let lastPatience = Duration.seconds(1)
}
