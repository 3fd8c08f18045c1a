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
        /// Everything that can be completed is; the writer is asked to let go.
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
        endAccounts()
        for file in ending + [current].compactMap({ $0 }) { leave(file) }
        ending = []
        current = nil
        if report.failure == nil, let failing { report.failure = failing.failure }
        report.take(ledger)
        let completion = stop.completion
        stopping?.completion = { _ in }
        completion(report)
    }

    /// A file that hangs with its disk.
    private func leave(_ file: RecorderFile) {
        let path = file.path ?? file.spec.name
        let error = failing ?? StorageError(code: .notAnswering, action: .complete, path: path)
        report.failure = error.failure
        onNotice?(.leftBehind(path: path + ".part", error))
    }

    private static let lastPatience = Duration.seconds(1)
}
