// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore

/// Decides for how long the audio of one live connection waits on its way to the sinks. Confined to the loop's thread.
///
/// Two things hold audio back. The kernel gathers bytes before it wakes the loop, for no longer than every sink
/// tolerates (``StreamHub/tolerance``), and at most for half of the time after which silence is taken for a stall. And
/// a framer holds a whole frame until it sees what follows the frame, which would be the next block where a station
/// sends in blocks: where a sink is in a hurry, the frame comes out after 30 ms of silence.
///
/// Both timers move with each delivery, so neither fires while the station sends as usual.
final class Gatherer {
    /// A connection whose audio waits.
    protocol Source: AnyObject {
        /// Whether a whole frame only waits for what follows it.
        var holdsFrame: Bool { get }
        /// Releases that frame.
        func releaseHeld()
        /// Lets this number of bytes gather in the kernel.
        func gather(_ bytes: Int)
    }

    /// How long the sinks can wait for audio; nil where none of them asks for any. Takes effect at once.
    var tolerance: Duration? {
        didSet { retime() }
    }
    /// After a silence of this length the station opens a hedge: gathered bytes come in long before that.
    var hedgeDelay = Duration.seconds(2) {
        didSet { retime() }
    }

    private let reactor: any Reactor
    private weak var source: (any Source)?
    private var size = GatheringSize(time: longest)
    /// Whether bytes in the kernel may wait for more.
    private var isGathering = false
    /// How long too few bytes wait for more. Longer where the station's usual pauses are longer, so that the timer does
    /// not fire in each of them.
    private var patience = longest * 3 / 2
    private var lastDelivery: MonotonicInstant?
    /// Called when all gathered bytes have come in; until then nothing gathers.
    private var collected: [() -> Void] = []
    private lazy var timer = reactor.makeTimer { [weak self] in self?.timeIsUp() }
    private lazy var releaseTimer = reactor.makeTimer { [weak self] in self?.source?.releaseHeld() }

    /// Nothing gathers for longer, whatever the sinks tolerate: less than a second of audio is lost with the process.
    private static let longest = Duration.seconds(5) / 6
    /// How long a frame waits for what follows it where a sink is in a hurry. With the loop's own delay, the frame is
    /// in the ring within 50 ms.
    private static let hold = Duration.milliseconds(30)
    /// Within this time the loop has read what the kernel held.
    private static let collecting = Duration.milliseconds(20)

    init(reactor: any Reactor) {
        self.reactor = reactor
    }

    /// Looks after a new connection, and no longer after the one before.
    func begin(_ source: any Source) {
        end()
        self.source = source
        size = GatheringSize(time: time)
        patience = time * 3 / 2
        lastDelivery = nil
    }

    /// The connection is over, or was left.
    func end() {
        source = nil
        isGathering = false
        releaseTimer.cancel()
        if collected.isEmpty { timer.cancel() }
    }

    /// Live audio has come up to `position`. What follows may gather, once the burst at the beginning is over: until
    /// then each delivery tells how the station delivers.
    func delivered(upTo position: Position, sampleRate: Int, isBurstOver: Bool, now: MonotonicInstant) {
        guard let source else { return }
        learnPause(now)
        let isNewSize = size.received(upTo: position, sampleRate: sampleRate)
        if size.bytes > 1, isBurstOver, collected.isEmpty {
            if isNewSize || !isGathering { source.gather(size.bytes) }
            isGathering = true
            timer.arm(at: now + patience)
        }
        received(now)
    }

    /// Bytes have come. Even without a new frame they may have completed one that now waits for what follows it.
    func received(_ now: MonotonicInstant) {
        if source?.holdsFrame == true, let tolerance, tolerance < Self.longest {
            releaseTimer.arm(at: now + max(tolerance, Self.hold))
        } else if releaseTimer.isArmed {
            releaseTimer.cancel()
        }
    }

    /// Calls back when all bytes in the kernel have come in: at once where nothing gathers.
    func collect(then done: @escaping () -> Void) {
        guard collected.isEmpty else { return collected.append(done) }
        guard isGathering else { return done() }
        stopGathering()
        collected = [done]
        timer.arm(at: reactor.now + Self.collecting)
    }

    // MARK: - How long

    private var time: Duration { min(Self.longest, tolerance ?? Self.longest, hedgeDelay / 2) }

    private var longestPatience: Duration { hedgeDelay * 3 / 4 }

    private func retime() {
        patience = min(patience, longestPatience)
        guard size.time != time else { return }
        size.time = time
        patience = time * 3 / 2
        guard isGathering else { return }
        if size.bytes > 1 { source?.gather(size.bytes) } else { stopGathering() }
    }

    private func learnPause(_ now: MonotonicInstant) {
        defer { lastDelivery = now }
        guard size.bytes > 1, let lastDelivery, now - lastDelivery > patience else { return }
        patience = min((now - lastDelivery) * 5 / 4, longestPatience)
    }

    private func timeIsUp() {
        stopGathering()
        let done = collected
        collected = []
        for call in done { call() }
    }

    /// Lets the gathered bytes come in, and each byte after them until the next frame.
    private func stopGathering() {
        guard isGathering else { return }
        isGathering = false
        timer.cancel()
        source?.gather(1)
    }
}
