// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import MediaSources
import RadioCore
import RadioFormats

/// A source on virtual time with a delegate that writes down what it hears.
final class Player: PacedSourceDelegate {
    let reactor = ManualReactor()
    let startedAt: MonotonicInstant
    private(set) var formats: [StreamFormat] = []
    var format: StreamFormat? { formats.last }
    private(set) var titles: [String] = []
    private(set) var bytes: [UInt8] = []
    /// Of the present format.
    private(set) var samples: Int64 = 0
    /// When each frame was told, and how long the source said that it plays.
    private(set) var frames: [(at: MonotonicInstant, length: Duration)] = []
    private(set) var resyncs = 0
    private(set) var skipped: [(item: String, reason: String)] = []
    private(set) var turns = 0
    private(set) var calls = 0
    private(set) var isOver = false
    private(set) var endedAt: MonotonicInstant?
    private(set) var failure: Failure?
    /// Seconds of audio that were told.
    var played: Double { frames.reduce(0) { $0 + $1.length.inSeconds } }
    var stopAfterCalls = Int.max
    var onCaughtUp: (() -> Void)?
    private var source: PacedSource?

    convenience init(_ items: [MediaItem], repeats: Bool = false, ahead: Duration = .zero) {
        self.init(MemoryFeed(items, repeats: repeats), ahead: ahead)
    }

    init(_ feed: any PlayoutFeed, ahead: Duration = .zero) {
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

    func source(_ source: PacedSource, began format: StreamFormat) {
        formats.append(format)
        samples = 0
        called()
    }

    func source(_ source: PacedSource, played frame: Frame, _ bytes: UnsafeRawBufferPointer) {
        self.bytes += bytes
        samples += Int64(frame.samples)
        frames.append((reactor.now, .samples(Int64(frame.samples), at: format?.sampleRate ?? 0)))
        called()
    }

    func source(_ source: PacedSource, title: String) {
        titles.append(title)
        called()
    }

    func sourceResynced(_ source: PacedSource) {
        resyncs += 1
        called()
    }

    func source(_ source: PacedSource, skipped item: String, because reason: String) {
        skipped.append((item, reason))
        called()
    }

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
