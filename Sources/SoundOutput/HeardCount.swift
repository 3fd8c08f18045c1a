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
    /// Samples a second.
    private var rate: Double

    init(rate: Int) {
        self.rate = Double(rate)
    }

    /// Samples were written, over the last `rewind` ones.
    mutating func wrote(_ count: Int, rewind: Int) {
        written = max(floor, written - Int64(rewind) + Int64(count))
    }

    /// The server has taken `taken` samples out of the stream's buffer by `now`, of which the last ones are heard in
    /// `ahead`. Where it does not play, it takes no more.
    mutating func learn(taken: Int64, ahead: Duration, isPlaying: Bool, at now: MonotonicInstant) {
        settle(at: now)
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

    /// All was heard.
    mutating func finished() { floor = written }

    /// How many samples have been heard by now.
    func heard(at now: MonotonicInstant) -> Int64 {
        guard let answer else { return floor }
        let limit = isRunning && answer.isPlaying ? written : min(written, answer.taken)
        let samples = estimate(answer, at: now)
        return max(floor, min(limit, samples >= Double(limit) ? limit : Int64(samples)))
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
