// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import MediaSources
import RadioCore
import RadioFormats

/// A source in virtual time, with a delegate that records its calls.
final class Player: PacedSourceDelegate {
    let reactor = ManualReactor()
    let startedAt: MonotonicInstant
    private let parts = PlayedParts()
    var formats: [StreamFormat] { parts.formats }
    var format: StreamFormat? { formats.last }
    var titles: [String] { parts.titles }
    var bytes: [UInt8] { parts.bytes }
    /// Samples since the last format.
    private(set) var samples: Int64 = 0
    /// For each frame, the time of its delivery, and its length according to the source.
    private(set) var frames: [(at: MonotonicInstant, length: Duration)] = []
    var resyncs: Int { parts.resyncs }
    private(set) var skipped: [(item: String, reason: String)] = []
    private(set) var turns = 0
    private(set) var calls = 0
    private(set) var isOver = false
    private(set) var endedAt: MonotonicInstant?
    private(set) var failure: Failure?
    /// Seconds of audio delivered.
    var played: Double { frames.reduce(0) { $0 + $1.length.inSeconds } }
    var stopAfterCalls = Int.max
    var onCaughtUp: (() -> Void)?
    private var source: PacedSource?

    convenience init(_ items: [MediaItem], repeats: Bool = false, ahead: Duration = .zero) {
        self.init(Playout(items, repeats: repeats), ahead: ahead)
    }

    init(_ feed: any StepSource, ahead: Duration = .zero) {
        startedAt = reactor.now
        source = PacedSource(feed, ahead: ahead, reactor: reactor, delegate: self)
        source?.start()
    }

    func stop() { source?.stop() }

    func run(for duration: Duration) {
        reactor.advance(by: duration)
    }

    func standStill(for duration: Duration) {
        reactor.standStill(for: duration)
    }

    private func called() {
        calls += 1
        if calls > stopAfterCalls { source?.stop() }
    }

    func take(_ part: StreamPart) {
        parts.take(part)
        if case .format = part { samples = 0 }
        called()
    }

    func take(_ batch: FrameBatch, _ bytes: UnsafeRawBufferPointer) {
        parts.take(batch, bytes)
        for index in 0..<batch.count {
            let length = Int64(batch[index].samples)
            samples += length
            frames.append((reactor.now, .samples(length, at: format?.sampleRate ?? 0)))
        }
        called()
    }

    func source(_ source: PacedSource, skipped item: String, because reason: String) {
        skipped.append((item, reason))
        called()
    }

    func source(_ source: PacedSource, leftOut bytes: Int64, of item: String) { called() }

    func sourceCaughtUp(_ source: PacedSource) {
        turns += 1
        onCaughtUp?()
        called()
    }

    func source(_ source: PacedSource, endedWith failure: Failure?) {
        isOver = true
        endedAt = reactor.now
        self.failure = failure
        called()
    }
}
