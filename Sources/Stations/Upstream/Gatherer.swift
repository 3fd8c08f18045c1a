// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore

/// Decides how long the audio of one live connection waits on its way to the sinks.
///
/// The kernel gathers bytes before it wakes the loop, for no longer than every sink tolerates
/// (``StreamHub/tolerance``), and for at most half the silence that counts as a stall. The loop coalesces connections
/// that gather for the longest time. A framer holds a whole frame until it sees what follows, which may be the
/// station's next block. If a sink is in a hurry, the frame is released after 30 ms of silence.
///
/// Each delivery moves the timer, so it does not fire while the station sends as usual.
final class Gatherer {
    /// A connection whose audio can wait.
    protocol Supplier: AnyObject {
        /// See ``Upstream/frameWait``.
        var frameWait: Duration { get set }
        /// Lets this many bytes gather in the kernel; see ``HTTPTransfer/gather(_:isCoalesced:)``.
        func gather(_ bytes: Int, isCoalesced: Bool)
    }

    /// How long the sinks can wait for audio; nil if no sink wants audio. A change takes effect at once.
    var tolerance: Duration? {
        didSet { retime() }
    }
    /// The silence after which the station opens a hedge. Gathered bytes are read long before that.
    var hedgeDelay = Duration.seconds(2) {
        didSet { retime() }
    }

    private let reactor: any Reactor
    private weak var supplier: (any Supplier)?
    private var size = GatheringSize(time: longest)
    /// Whether bytes in the kernel may wait for more.
    private var isGathering = false
    /// How long bytes wait while too few have gathered. The wait is longer if the station's usual pauses are longer, so
    /// that the timer does not fire in each pause.
    private var patience = longest * 3 / 2
    private var lastDelivery: MonotonicInstant?
    /// Called once all gathered bytes have been read; until then nothing gathers.
    private var collected: [() -> Void] = []
    private lazy var timer = reactor.makeTimer { [weak self] in self?.timeIsUp() }

    /// The longest gathering time, whatever the sinks tolerate: if the process dies, less than a second of audio is
    /// lost.
    private static let longest = Duration.seconds(5) / 6
    /// How long a frame waits for what follows it if a sink is in a hurry. With the loop's own delay, the frame is in
    /// the ring within 50 ms.
    private static let hold = Duration.milliseconds(30)
    /// The rest of the bytes before a silence is read before the silence is long enough to hide a hole.
    private static let longestRest = Duration.milliseconds(1_800)
    /// How long it waits otherwise: longer than bytes gather.
    static let silence = Duration.milliseconds(1_500)
    /// How long the loop needs at most to read the bytes that the kernel held.
    private static let collecting = Duration.milliseconds(20)

    init(reactor: any Reactor) {
        self.reactor = reactor
    }

    /// Switches to a new connection.
    func begin(_ supplier: any Supplier) {
        end()
        self.supplier = supplier
        size = GatheringSize(time: time)
        patience = time.scaled(3, over: 2)
        lastDelivery = nil
        supplier.frameWait = frameWait
    }

    /// Stops gathering. Call when the connection has ended or been abandoned.
    func end() {
        supplier = nil
        isGathering = false
        if collected.isEmpty { timer.cancel() }
    }

    /// Lets live audio after `position` gather. Later bytes may gather once the initial burst is over: until then, each
    /// delivery shows how the station delivers.
    func delivered(upTo position: Position, sampleRate: Int, isBurstOver: Bool, now: MonotonicInstant) {
        guard let supplier else { return }
        learnPause(now)
        let isNewSize = size.received(upTo: position, sampleRate: sampleRate)
        if size.bytes > 1, isBurstOver, collected.isEmpty {
            if isNewSize || !isGathering { gather(from: supplier) }
            isGathering = true
            timer.arm(at: now + patience)
        }
    }

    /// Calls back once all bytes in the kernel have been read; at once if nothing gathers.
    func collect(then done: @escaping () -> Void) {
        guard collected.isEmpty else { return collected.append(done) }
        guard isGathering else { return done() }
        stopGathering()
        collected = [done]
        timer.arm(at: reactor.now + Self.collecting)
    }

    // MARK: - Durations

    private var frameWait: Duration {
        tolerance.flatMap { $0 < Self.longest ? max($0, Self.hold) : nil } ?? Self.silence
    }

    private var time: Duration { min(Self.longest, tolerance ?? Self.longest, hedgeDelay.scaled(1, over: 2)) }

    private var longestPatience: Duration { min(hedgeDelay.scaled(3, over: 4), Self.longestRest) }

    private func retime() {
        patience = min(patience, longestPatience)
        supplier?.frameWait = frameWait
        guard size.time != time else { return }
        size.time = time
        patience = time.scaled(3, over: 2)
        guard isGathering else { return }
        if size.bytes > 1, let supplier { gather(from: supplier) } else { stopGathering() }
    }

    /// Lets the kernel gather bytes for the supplier. Coalesces the connection only if it gathers for the longest time:
    /// otherwise the sinks tolerate no additional wait.
    private func gather(from supplier: any Supplier) {
        supplier.gather(size.bytes, isCoalesced: time == Self.longest)
    }

    private func learnPause(_ now: MonotonicInstant) {
        defer { lastDelivery = now }
        guard size.bytes > 1, let lastDelivery, now - lastDelivery > patience else { return }
        patience = min((now - lastDelivery).scaled(5, over: 4), longestPatience)
    }

    private func timeIsUp() {
        stopGathering()
        let done = collected
        collected = []
        for call in done { call() }
    }

    /// Has the gathered bytes read now, and later bytes as they arrive, until the next frame.
    private func stopGathering() {
        guard isGathering else { return }
        isGathering = false
        timer.cancel()
        supplier?.gather(1, isCoalesced: false)
    }
}
