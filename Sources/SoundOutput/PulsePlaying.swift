// SPDX-License-Identifier: MIT

import CLibPulse
import Instants
import RadioCore

/// The state of one stream, from its request to its end: unanswered requests, whether it should play, and how far it
/// has played.
final class PulsePlaying {
    /// What the passing of time means for a stream.
    enum Verdict {
        case asExpected
        case underrun
        case drained
        case hangs
    }

    /// The duration of the silence written after the audio; longer than the delay of any resampler.
    private static let tail: Duration = .milliseconds(20)

    let stream: PulseStream
    /// The title, volume and muting with which the stream was requested.
    let mixing: PulseOutput.Mixing
    private(set) var count: HeardCount
    private(set) var isReady = false
    private(set) var latency: Duration?
    /// The volume and muting that were last reported.
    var told: (volume: Double, isMuted: Bool)?

    private let format: PCMFormat
    private var rate: Int
    private let startSamples: Int
    private var isPaused: Bool
    private var isHeld = false
    /// Whether enough has been written to start. Until then the stream is corked, because a device without audio fills
    /// itself with silence, and the first sound then has to wait until that silence has been played.
    private var isPrimed = false
    private var isCorked = true
    private var corksAsked = 0

    /// Samples that were taken back but that the server still has: the next write rewinds over them.
    private var owedRewind = 0
    private var pending = 0
    private var pendingSince: MonotonicInstant?
    private var lastSign: MonotonicInstant

    private var hasStarted = false
    private var isStarved = false
    /// The sample from which on the server has nothing to play, and when that is reported at the latest.
    private var emptyFrom: (sample: Int64, limit: MonotonicInstant)?
    private var isDraining = false
    private var drainLimit: MonotonicInstant?
    /// When the first sound became possible; nil once ``latency`` is known, or cannot be measured.
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

    // MARK: Requests

    func write(_ values: UnsafeBufferPointer<Float>, rewind: Int, at now: MonotonicInstant) {
        let unheard = Int(clamping: count.written - count.heard(at: now))
        let possible = min(max(0, rewind), unheard)
        // Samples that should replace samples already heard come too late, and are left out.
        let late = max(0, rewind) - possible
        let free = stream.capacity - unheard + possible
        let taken = min(values.count / format.channels - late, max(0, free))
        guard isReady else { return }
        // New samples end a drain, and the silence after the old end is rewound.
        (isDraining, drainLimit) = (false, nil)
        owedRewind += count.takePadding(at: now)
        guard taken > 0 else {
            // The server rewinds with the next samples.
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

    /// Stops or continues the stream, as the server asks.
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

    /// Writes silence after the end, because a resampler loses the samples that it holds when its input ends. After a
    /// rewind, the end is where the rewind left it.
    private func writeTail() {
        let samples = format.samples(in: Self.tail)
        let silence = [Float](repeating: 0, count: samples * format.channels)
        guard silence.withUnsafeBufferPointer({ stream.write($0, rewind: owedRewind) }) else { return }
        owedRewind = 0
        count.padded(samples)
    }

    /// Sets when a drain without an answer counts as done: when everything must have been heard.
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

    // MARK: Events of the server

    /// Counts an answer of the server: it has created the stream, or carried out a request.
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
        // A request that was not possible while too many were open is sent now.
        cork(at: now)
    }

    func signed(at now: MonotonicInstant) { lastSign = now }

    /// Takes a timing update. Updates from before the server knew of the last cork are ignored.
    func learn(at now: MonotonicInstant) {
        lastSign = now
        guard corksAsked == 0, let timing = stream.timing else { return }
        let taken = timing.read_index / Int64(format.bytesPerSample)
        let age = timing.transport_microseconds < 100_000 ? Int64(timing.transport_microseconds) : 0
        let inDevice = Duration.microseconds(Int64(clamping: min(timing.sink_microseconds, 60_000_000)) - age)
        // After an underrun, the device was given silence after the audio. This part of the device's buffer is not
        // counted.
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

    /// Dates the moment from which the stream may be starved: the server's buffer has run empty, though the device may
    /// still be playing. Samples written meanwhile let the stream continue.
    func underflowed(at now: MonotonicInstant) {
        lastSign = now
        let sample = count.sample(ofServer: stream.underflow)
        guard hasStarted, !isDraining, !isCorked, !isStarved, sample >= count.written else { return }
        emptyFrom = (sample, now + PulseOutput.patience)
    }

    /// Counts the stream as started, because the server plays. Returns whether it did not play before.
    func started(at now: MonotonicInstant) -> Bool {
        lastSign = now
        emptyFrom = nil
        defer { (hasStarted, isStarved) = (true, false) }
        return !hasStarted || isStarved
    }

    /// Ends a drain that was answered or timed out. Returns whether there was a drain.
    func drained() -> Bool {
        defer { (isDraining, drainLimit) = (false, nil) }
        if isDraining { count.finished() }
        return isDraining
    }

    // MARK: Time

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

    /// When ``verdict(at:)`` is due again; nil if only the server can change it.
    var nextInstant: MonotonicInstant? {
        let emptyInstant = emptyFrom.map(emptyAt)
        let giveUp = pendingSince.map { $0 + PulseOutput.patience }
        return earlier(earlier(giveUp, drainLimit), earlier(emptyInstant, askingDue))
    }

    /// When to request a timing update, because the server has sent nothing while it plays.
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
