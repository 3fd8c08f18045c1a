// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import Recorder
import Stations
import Storage

/// A sink that keeps a recording: a folder of files, or standard output. Confined to the loop's thread.
protocol AudioKeeper: StreamSink {
    /// Bytes and seconds of audio so far.
    var kept: (bytes: Int64, seconds: Double) { get }
    /// Finishes everything and reports, waiting for the disk or the reader no longer than `patience`; only the first
    /// call counts.
    func stop(patience: Duration, completion: @escaping (RecordingReport) -> Void)
}

extension Recorder: AudioKeeper {
    var kept: (bytes: Int64, seconds: Double) { progress }
}

/// Frames to standard output.
final class PipeKeeper: AudioKeeper {
    private let output: FrameOutput
    private let timer: any ReactorTimer
    private let reactor: any Reactor
    private var completion: ((RecordingReport) -> Void)?

    /// A reader that has stopped reading is not waited for longer.
    private static let longestPatience = Duration.seconds(2)

    init(output: FrameOutput, reactor: any Reactor) {
        self.output = output
        self.reactor = reactor
        let end = Weak<PipeKeeper>()
        timer = reactor.makeTimer { end.object?.finish(RecordingReport()) }
        end.object = self
    }

    var kept: (bytes: Int64, seconds: Double) { output.progress }

    func receive(_ event: StreamEvent) { output.receive(event) }

    func stop(patience: Duration, completion: @escaping (RecordingReport) -> Void) {
        guard self.completion == nil else { return }
        self.completion = completion
        timer.arm(at: reactor.now + min(patience, Self.longestPatience))
        output.stop { [weak self] in self?.finish($0) }
    }

    private func finish(_ report: RecordingReport) {
        timer.cancel()
        completion?(report)
        completion = { _ in }
    }
}

/// A reference that does not keep its object.
private final class Weak<Object: AnyObject> {
    weak var object: Object?
}
