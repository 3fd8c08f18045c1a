// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import Recorder
import Stations

/// Writes frames to standard output.
final class PipeKeeper: AudioKeeper {
    private let output: FrameOutput
    private let timer: any ReactorTimer
    private let reactor: any Reactor
    private var patience = Duration.zero
    /// The number of bytes that the reader had taken at the last check.
    private var written: Int64 = 0
    /// When to give up even if the reader still makes progress; nil until ``hurry(_:)`` is called.
    private var deadline: MonotonicInstant?
    private var completion: ((RecordingReport) -> Void)?

    init(output: FrameOutput, reactor: any Reactor) {
        self.output = output
        self.reactor = reactor
        let owner = Weak<PipeKeeper>()
        timer = reactor.makeTimer { owner.object?.lookForProgress() }
        owner.object = self
    }

    var kept: (frames: Int64, bytes: Int64, seconds: Double) { output.progress }
    var length: Duration { .seconds(kept.seconds) }
    var file: RecordedSegment? { nil }
    var archived: (any FrameArchive)? { nil }

    /// Standard output has no ledger.
    func note(missingBefore gap: Gap) {}
    func note(continues recording: String?) {}
    func noteFollowed() {}

    func receive(_ event: StreamEvent) { output.receive(event) }

    /// Finishes the output, and waits as long as the reader takes some data within each `patience`.
    func stop(patience: Duration, completion: @escaping (RecordingReport) -> Void) {
        guard self.completion == nil else { return }
        self.completion = completion
        self.patience = patience
        waitForProgress()
        output.stop { [weak self] in self?.finish($0) }
    }

    /// From now on, the reader has to take something within each second.
    func hurry(_ patience: Duration) {
        guard completion != nil, deadline == nil else { return }
        deadline = reactor.now + patience
        self.patience = Self.hurriedPatience
        waitForProgress()
    }

    private func waitForProgress() {
        written = output.written
        let next = reactor.now + patience
        timer.arm(at: deadline.map { min($0, next) } ?? next)
    }

    private func lookForProgress() {
        guard output.written > written, deadline.map({ reactor.now < $0 }) ?? true else { return output.giveUp() }
        waitForProgress()
    }

    private func finish(_ report: RecordingReport) {
        timer.cancel()
        completion?(report)
        completion = { _ in }
    }

    private static let hurriedPatience = Duration.seconds(1)
}

/// A weak reference.
private final class Weak<Object: AnyObject> {
    weak var object: Object?
}
