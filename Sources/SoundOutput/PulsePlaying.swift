// SPDX-License-Identifier: MIT

import CLibPulse
import Instants
import RadioCore

/// What is known of one stream, from the request for it to its end: what is asked of the server and not answered yet,
/// whether it should be heard, and how far it is.
final class PulsePlaying {
    /// What the clock says about a stream.
    enum Verdict {
        case asExpected
        case underrun
        case drained
        case hangs
    }

    /// Longer than what any resampler holds back.
    private static let tail: Duration = .milliseconds(20)

    let stream: PulseStream
    /// What mixers show, as the stream was asked for.
    let mixing: PulseOutput.Mixing
    private(set) var count: HeardCount
    private(set) var isReady = false
    private(set) var latency: Duration?
    /// The volume that was told last.
    var told: (volume: Double, isMuted: Bool)?

    private let format: PCMFormat
    private var rate: Int
    private let startSamples: Int
    private var isPaused: Bool
    private var isHeld = false
    /// There is enough to begin with. Until then the stream is corked: a device that has nothing to play would fill
    /// itself with silence, which the first sound had to wait for.
    private var isPrimed = false
    private var isCorked = true
    private var corksAsked = 0

    /// Samples that were taken back, and that the server still has.
    private var owedRewind = 0
    private var pending = 0
    private var pendingSince: MonotonicInstant?
    private var lastSign: MonotonicInstant

    private var hasStarted = false
    private var isStarved = false
    /// The server has nothing to play from this sample on; by when that is told at the latest.
    private var emptyFrom: (sample: Int64, limit: MonotonicInstant)?
    private var isDraining = false
    private var drainLimit: MonotonicInstant?
    /// When the first sound became possible; nil once ``latency`` is known, or cannot be.
    private var possibleSince: MonotonicInstant?
    private var canMeasure = true

    init(
        _ stream: PulseStream, wish: PulseOutput.Wish, mixing: PulseOutput.Mixing, start: Duration,
        at now: MonotonicInstant
    ) {
        self.stream = stream
        self.mixing = mixing
        rate = wish.rate
        format = wish.format
        startSamples = wish.format.samples(in: start)
        isPaused = wish.isPaused
        count = HeardCount(rate: wish.rate)
        lastSign = now
        expectAnswer(at: now)
    }

    var room: Int { isReady ? stream.room + owedRewind : 0 }

    // MARK: What is asked for

    func write(_ values: UnsafeBufferPointer<Float>, rewind: Int, at now: MonotonicInstant) {
        let unheard = Int(clamping: count.written - count.heard(at: now))
        let possible = min(max(0, rewind), unheard)
        // What was to be written over samples that have been heard meanwhile comes too late.
        let late = max(0, rewind) - possible
        let free = stream.capacity - unheard + possible
        let taken = min(values.count / format.channels - late, max(0, free))
        guard isReady else { return }
        // There is more to hear than the drain knows of, or less, and no silence in between.
        (isDraining, drainLimit) = (false, nil)
        owedRewind += count.takePadding(at: now)
        guard taken > 0 else {
            // The server goes back with the next samples.
            owedRewind += possible
            return count.wrote(0, rewind: possible)
        }
        let part = values[(late * format.channels)..<((late + taken) * format.channels)]
        guard stream.write(UnsafeBufferPointer(rebasing: part), rewind: owedRewind + possible) else { return }
        owedRewind = 0
        count.wrote(taken, rewind: possible)
        if count.written >= startSamples { prime(at: now) }
        noteWhetherSoundIsPossible(at: now)
    }

    func setPaused(_ isPaused: Bool, at now: MonotonicInstant) {
        self.isPaused = isPaused
        cork(at: now)
    }

    /// The server wants silence, or does not any more.
    func setHeld(_ isHeld: Bool, at now: MonotonicInstant) {
        self.isHeld = isHeld
        cork(at: now)
    }

    private func prime(at now: MonotonicInstant) {
        guard !isPrimed else { return }
        isPrimed = true
        cork(at: now)
    }

    private func cork(at now: MonotonicInstant) {
        let isCorked = isPaused || isHeld || !isPrimed
        guard isReady, isCorked != self.isCorked, ask(stream.cork(isCorked), at: now) else { return }
        self.isCorked = isCorked
        corksAsked += 1
        count.setRunning(!isCorked, at: now)
        emptyFrom = nil
        if hasStarted { canMeasure = false }
        noteWhetherSoundIsPossible(at: now)
        setDrainLimit(at: now)
    }

    func setRate(_ hertz: Int, at now: MonotonicInstant) {
        guard isReady, hertz != rate, ask(stream.setRate(hertz), at: now) else { return }
        rate = hertz
        count.setRate(hertz, at: now)
    }

    func setTitle(_ title: String, at now: MonotonicInstant) {
        guard isReady else { return }
        _ = ask(stream.setTitle(title), at: now)
    }

    func drain(at now: MonotonicInstant) {
        guard isReady, !isDraining else { return }
        writeTail()
        prime(at: now)
        guard stream.drain() else { return }
        isDraining = true
        emptyFrom = nil
        setDrainLimit(at: now)
    }

    /// What a resampler still holds when its input ends is lost: silence behind the end takes its place. The end is
    /// where it was taken back to.
    private func writeTail() {
        let samples = format.samples(in: Self.tail)
        let silence = [Float](repeating: 0, count: samples * format.channels)
        guard silence.withUnsafeBufferPointer({ stream.write($0, rewind: owedRewind) }) else { return }
        owedRewind = 0
        count.padded(samples)
    }

    /// A drain that nobody answers is over when all must have been heard.
    private func setDrainLimit(at now: MonotonicInstant) {
        guard isDraining else { return }
        let left = Int(clamping: count.written - count.heard(at: now))
        drainLimit = isCorked ? nil : now + format.duration(of: left) + PulseOutput.patience + PulseOutput.patience
    }

    private func noteWhetherSoundIsPossible(at now: MonotonicInstant) {
        guard canMeasure, latency == nil else { return }
        let isPossible = !isCorked && count.written >= startSamples
        possibleSince = isPossible ? possibleSince ?? now : nil
    }

    // MARK: What the server says

    /// The server has made the stream, or has answered something.
    func answered(at now: MonotonicInstant) {
        pending = max(0, pending - 1)
        pendingSince = pending > 0 ? now : nil
        lastSign = now
    }

    func becameReady(wish: PulseOutput.Wish, at now: MonotonicInstant) {
        isReady = true
        answered(at: now)
        count.setRunning(!isCorked, at: now)
        setPaused(wish.isPaused, at: now)
        setRate(wish.rate, at: now)
    }

    func corkAnswered(at now: MonotonicInstant) {
        corksAsked = max(0, corksAsked - 1)
        // What could not be asked for because too much was open is asked for now.
        cork(at: now)
    }

    func signed(at now: MonotonicInstant) { lastSign = now }

    /// The server has said how far it is. What it said before it knew of the last cork does not count.
    func learn(at now: MonotonicInstant) {
        lastSign = now
        guard corksAsked == 0, let timing = stream.timing else { return }
        let taken = timing.read_index / Int64(format.bytesPerSample)
        let age = timing.transport_microseconds < 100_000 ? Int64(timing.transport_microseconds) : 0
        let inDevice = Duration.microseconds(Int64(clamping: min(timing.sink_microseconds, 60_000_000)) - age)
        // Where the server has run out, the device has been given silence behind what it got.
        let silence = format.duration(of: Int(clamping: timing.silent_bytes) / format.bytesPerSample)
        let ahead = max(.zero, inDevice - silence)
        count.learn(taken: taken, ahead: ahead, isPlaying: timing.is_playing, at: now)
        measureLatency(at: now)
    }

    private func measureLatency(at now: MonotonicInstant) {
        guard latency == nil, canMeasure, let since = possibleSince, !isStarved else { return }
        let heard = count.heard(at: now)
        guard heard > 0, heard < count.written else { return }
        latency = max(.zero, now - since - format.duration(of: Int(clamping: heard)))
        possibleSince = nil
    }

    /// The server has nothing left, though some of it may not have been heard. What came meanwhile makes it go on.
    func underflowed(at now: MonotonicInstant) {
        lastSign = now
        let sample = count.sample(ofServer: stream.underflow)
        guard hasStarted, !isDraining, !isCorked, !isStarved, sample >= count.written else { return }
        emptyFrom = (sample, now + PulseOutput.patience)
    }

    /// The server plays. Says whether that is news.
    func started(at now: MonotonicInstant) -> Bool {
        lastSign = now
        emptyFrom = nil
        defer { (hasStarted, isStarved) = (true, false) }
        return !hasStarted || isStarved
    }

    /// The drain was answered.
    func drained() -> Bool {
        defer { (isDraining, drainLimit) = (false, nil) }
        if isDraining { count.finished() }
        return isDraining
    }

    // MARK: What the clock says

    func verdict(at now: MonotonicInstant) -> Verdict {
        if let pendingSince, now - pendingSince >= PulseOutput.patience { return .hangs }
        if let drainLimit, drainLimit <= now { return drained() ? .drained : .asExpected }
        if let emptyFrom, emptyAt(emptyFrom) <= now {
            self.emptyFrom = nil
            isStarved = true
            if canMeasure, latency == nil { canMeasure = false }
            return .underrun
        }
        if let due = askingDue, due <= now { _ = ask(stream.askTiming(), at: now) }
        return .asExpected
    }

    /// When ``verdict(at:)`` has to be asked again; nil where only the server can bring news.
    var nextInstant: MonotonicInstant? {
        let emptyInstant = emptyFrom.map(emptyAt)
        let giveUp = pendingSince.map { $0 + PulseOutput.patience }
        return earlier(earlier(giveUp, drainLimit), earlier(emptyInstant, askingDue))
    }

    /// A server that is silent while it plays is asked for the time.
    private var askingDue: MonotonicInstant? {
        guard isReady, !isCorked, pending == 0, !stream.isSuspended else { return nil }
        return lastSign + PulseOutput.quiet
    }

    private func emptyAt(_ empty: (sample: Int64, limit: MonotonicInstant)) -> MonotonicInstant {
        count.instant(of: empty.sample).map { min($0, empty.limit) } ?? empty.limit
    }

    private func ask(_ wasPossible: Bool, at now: MonotonicInstant) -> Bool {
        if wasPossible { expectAnswer(at: now) }
        return wasPossible
    }

    private func expectAnswer(at now: MonotonicInstant) {
        pending += 1
        pendingSince = pendingSince ?? now
    }
}

/// The earlier of two instants; nil is never.
func earlier(_ one: MonotonicInstant?, _ other: MonotonicInstant?) -> MonotonicInstant? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
}
