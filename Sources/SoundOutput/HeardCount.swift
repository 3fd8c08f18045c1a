// SPDX-License-Identifier: MIT

import Instants

/// How many samples of a stream were written and how many of them were heard, by what the server says now and then.
///
/// Between two answers of the server our own clock goes on. The count of what was heard never goes back, and never
/// beyond what was written.
struct HeardCount: Sendable {
    /// What the server said: so many samples were taken, of which so much lasted until then.
    private struct Answer {
        var taken: Int64
        var heard: Double
        var isPlaying: Bool
        var at: MonotonicInstant
    }

    /// Samples written.
    private(set) var written: Int64 = 0
    private var floor: Int64 = 0
    private var answer: Answer?
    private var isRunning = false
    /// Silence that the server got behind what was written.
    private var padding: Int64 = 0
    /// Silence that it has played before: its own counts are ahead of these by so much.
    private var offset: Int64 = 0
    /// Samples a second.
    private var rate: Double

    init(rate: Int) {
        self.rate = Double(rate)
    }

    /// Samples were written, over the last `rewind` ones.
    mutating func wrote(_ count: Int, rewind: Int) {
        written = max(floor, written - Int64(rewind) + Int64(count))
    }

    /// Silence was written behind the end, which counts for nothing.
    mutating func padded(_ count: Int) { padding += Int64(count) }

    /// Something is to be written behind the end again: how much of the silence there has not been played, so that the
    /// server goes back that far. What has been played stays.
    mutating func takePadding(at now: MonotonicInstant) -> Int {
        let played = answer.map { max(0, reached($0, end: written + padding, at: now) - written) } ?? 0
        defer { passPadding(played) }
        return Int(clamping: padding - played)
    }

    /// So much of the padding was played, and the rest is none any more.
    private mutating func passPadding(_ played: Int64) {
        padding = 0
        offset += played
        answer?.taken -= played
        answer?.heard -= Double(played)
    }

    /// A count of the server's, as one of what was written.
    func sample(ofServer count: Int64) -> Int64 { count - offset }

    /// The server has taken `taken` samples out of the stream's buffer by `now`, of which the last ones are heard in
    /// `ahead`. Where it does not play, it takes no more.
    mutating func learn(taken: Int64, ahead: Duration, isPlaying: Bool, at now: MonotonicInstant) {
        settle(at: now)
        let taken = sample(ofServer: taken)
        answer = Answer(taken: taken, heard: Double(taken) - ahead.inSeconds * rate, isPlaying: isPlaying, at: now)
    }

    /// The stream runs from now on, or stands. What was known before does not hold any more.
    mutating func setRunning(_ isRunning: Bool, at now: MonotonicInstant) {
        settle(at: now)
        self.isRunning = isRunning
        answer = nil
    }

    mutating func setRate(_ hertz: Int, at now: MonotonicInstant) {
        settle(at: now)
        if let old = answer {
            answer = Answer(taken: old.taken, heard: estimate(old, at: now), isPlaying: old.isPlaying, at: now)
        }
        rate = Double(hertz)
    }

    /// All was heard. What was known before says nothing of what is written from now on.
    mutating func finished() {
        floor = written
        passPadding(padding)
        answer = nil
    }

    /// How many samples have been heard by now.
    func heard(at now: MonotonicInstant) -> Int64 {
        guard let answer else { return floor }
        return max(floor, reached(answer, end: written, at: now))
    }

    /// Where the sound is by now, at most at the end, and not beyond what was taken where no more is.
    private func reached(_ answer: Answer, end: Int64, at now: MonotonicInstant) -> Int64 {
        let limit = isRunning && answer.isPlaying ? end : min(end, answer.taken)
        let samples = estimate(answer, at: now)
        return samples >= Double(limit) ? limit : Int64(samples)
    }

    /// When a sample is heard; nil where nothing is known, or the stream stands.
    func instant(of sample: Int64) -> MonotonicInstant? {
        guard isRunning, let answer else { return nil }
        return answer.at + .nanoseconds(Int64((Double(sample) - answer.heard) / rate * 1e9))
    }

    private mutating func settle(at now: MonotonicInstant) { floor = heard(at: now) }

    private func estimate(_ answer: Answer, at now: MonotonicInstant) -> Double {
        answer.heard + (now - answer.at).inSeconds * rate
    }
}
