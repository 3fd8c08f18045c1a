// SPDX-License-Identifier: MIT

import Instants

/// How many samples of a stream have been written and heard, according to the server's timing updates.
///
/// Between two updates the monotonic clock extrapolates. The count of heard samples never goes back, and never exceeds
/// the count of written samples.
struct HeardCount: Sendable {
    /// A timing update: how many samples the server had taken by an instant, and how many of them had been heard.
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
    /// Samples of silence written after the end of the audio.
    private var padding: Int64 = 0
    /// Samples of silence that the server has played. The server's counts are ahead of ours by this number.
    private var offset: Int64 = 0
    /// Samples a second.
    private var rate: Double

    init(rate: Int) {
        self.rate = Double(rate)
    }

    /// Adds `count` samples that were written, the first of them `rewind` samples before the end of the samples written
    /// earlier.
    mutating func wrote(_ count: Int, rewind: Int) {
        written = max(floor, written - Int64(rewind) + Int64(count))
    }

    /// Adds `count` samples of silence that were written after the end. They do not count as written.
    mutating func padded(_ count: Int) { padding += Int64(count) }

    /// Prepares for writing more audio. Returns how many samples of silence have not been played: the server has to
    /// rewind these. Silence that has been played stays.
    mutating func takePadding(at now: MonotonicInstant) -> Int {
        let played = answer.map { max(0, reached($0, end: written + padding, at: now) - written) } ?? 0
        defer { passPadding(played) }
        return Int(clamping: padding - played)
    }

    /// Moves the played part of the padding to ``offset``, and forgets the rest.
    private mutating func passPadding(_ played: Int64) {
        padding = 0
        offset += played
        answer?.taken -= played
        answer?.heard -= Double(played)
    }

    /// Converts a server's count to a count of written samples.
    func sample(ofServer count: Int64) -> Int64 { count - offset }

    /// Takes a timing update. By `now` the server has taken `taken` samples out of the stream's buffer, and the last of
    /// these will be heard after `ahead`. A server that does not play takes no more samples.
    mutating func learn(taken: Int64, ahead: Duration, isPlaying: Bool, at now: MonotonicInstant) {
        settle(at: now)
        let taken = sample(ofServer: taken)
        answer = Answer(taken: taken, heard: Double(taken) - ahead.inSeconds * rate, isPlaying: isPlaying, at: now)
    }

    /// Lets the count run or stand still from now on, as the stream does. The last timing update no longer holds.
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

    /// Counts everything written as heard. The last timing update does not apply to samples written from now on.
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

    /// The sample being heard at `now`: at most `end`, and at most the samples taken if the server takes no more.
    private func reached(_ answer: Answer, end: Int64, at now: MonotonicInstant) -> Int64 {
        let limit = isRunning && answer.isPlaying ? end : min(end, answer.taken)
        let samples = estimate(answer, at: now)
        return samples >= Double(limit) ? limit : Int64(samples)
    }

    /// When a sample will be heard; nil without a timing update, or while the stream stands still.
    func instant(of sample: Int64) -> MonotonicInstant? {
        guard isRunning, let answer else { return nil }
        return answer.at + .nanoseconds(Int64((Double(sample) - answer.heard) / rate * 1e9))
    }

    private mutating func settle(at now: MonotonicInstant) { floor = heard(at: now) }

    private func estimate(_ answer: Answer, at now: MonotonicInstant) -> Double {
        answer.heard + (now - answer.at).inSeconds * rate
    }
}
