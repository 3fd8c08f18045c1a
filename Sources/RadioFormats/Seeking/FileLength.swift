// SPDX-License-Identifier: MIT

/// A file's playing time, and how it was determined.
package struct FileLength: Hashable, Sendable {
    package enum Basis: String, Hashable, Sendable {
        /// From a Xing, Info or VBRI frame.
        case frameCount = "frame-count"
        /// From FLAC's STREAMINFO or last frame.
        case sampleCount = "sample-count"
        /// From Ogg's last page.
        case granule
        /// Computed from a bit rate that is the same in all inspected frames.
        case bitRate = "bit-rate"
        /// Computed from the mean bit rate of the inspected frames: an estimate.
        case meanRate = "mean-rate"
    }

    package var duration: Duration
    package var basis: Basis
    /// Whether no part of the duration is an estimate.
    package var isExact: Bool

    /// Determines the playing time; nil if the facts do not determine it.
    ///
    /// A frame count is trusted only if it implies plausible frame sizes. If the byte count beside it disagrees with
    /// the file, the file was cut off or extended: the duration is then scaled to the bytes that are there.
    package init?(_ facts: AudioFileFacts) {
        let rate = facts.sampleRate
        if let samples = facts.samples {
            let basis = facts.container == .ogg ? Basis.granule : .sampleCount
            self.init(samples: samples, rate, basis, isExact: true)
        } else if let info = facts.info, let frames = info.frames,
            info.isPlausible(bytes: (facts.audioEnd ?? facts.size).map { $0 - facts.infoStart })
        {
            let samples = facts.trim.length ?? frames.multipliedSaturated(by: Int64(info.samples))
            let share = Self.share(facts)
            let scaled = share == 1 ? samples : Int64(clampingRounded: Double(samples) * share)
            self.init(samples: scaled, rate, .frameCount, isExact: share == 1)
        } else if let perSample = facts.bytesPerSample, perSample > 0, let end = facts.audioEnd ?? facts.size {
            let samples = Double(max(0, end - facts.audioStart)) / perSample
            self.init(
                samples: Int64(clampingRounded: samples), rate, facts.isConstant ? .bitRate : .meanRate,
                isExact: false)
        } else {
            return nil
        }
    }

    private init?(samples: Int64, _ rate: Int, _ basis: Basis, isExact: Bool) {
        guard samples > 0, rate > 0 else { return nil }
        let seconds = Double(samples) / Double(rate)
        guard seconds <= Self.mostSeconds else { return nil }
        duration = .nanoseconds(Int64((seconds * 1e9).rounded()))
        (self.basis, self.isExact) = (basis, isExact)
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
