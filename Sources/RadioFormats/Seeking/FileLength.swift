// SPDX-License-Identifier: MIT

/// Determines a file's playing time.
enum FileLength {
    /// The playing time; nil if the facts do not determine it.
    ///
    /// A frame count is trusted only if it implies plausible frame sizes. If the byte count beside it disagrees with
    /// the file, the file was cut off or extended: the duration is then scaled to the bytes that are there.
    static func duration(_ facts: AudioFileFacts) -> Duration? {
        let end = facts.audioEnd ?? facts.size
        if let samples = facts.samples {
            return duration(samples, facts)
        } else if let info = facts.info, let frames = info.frames,
            info.isPlausible(bytes: end.map { $0 - facts.infoStart })
        {
            let samples = facts.trim.length ?? frames.multipliedSaturated(by: Int64(info.samples))
            let share = share(facts)
            return duration(share == 1 ? samples : Int64(clampingRounded: Double(samples) * share), facts)
        } else if let perSample = facts.bytesPerSample, perSample > 0, let end {
            return duration(Int64(clampingRounded: Double(max(0, end - facts.audioStart)) / perSample), facts)
        }
        return nil
    }

    private static func duration(_ samples: Int64, _ facts: AudioFileFacts) -> Duration? {
        guard samples > 0, facts.sampleRate > 0 else { return nil }
        let seconds = Double(samples) / Double(facts.sampleRate)
        return seconds <= mostSeconds ? .nanoseconds(Int64((seconds * 1e9).rounded())) : nil
    }

    /// A year: longer durations are rejected.
    private static let mostSeconds = 366.0 * 86_400
    /// The tolerated relative error of a byte count: encoders differ in counting the info frame and tags.
    private static let tolerance = 0.02

    private static func share(_ facts: AudioFileFacts) -> Double {
        guard let claimed = facts.statedBytes, let end = facts.audioEnd ?? facts.size else { return 1 }
        let there = Double(max(0, end - facts.infoStart))
        let share = there / Double(claimed)
        let isNear = abs(there - Double(claimed)) <= 4096 || abs(share - 1) <= tolerance
        return isNear ? 1 : share
    }
}
