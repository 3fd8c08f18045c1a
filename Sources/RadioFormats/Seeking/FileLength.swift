// SPDX-License-Identifier: MIT

/// How long a file plays, and how that is known.
package struct FileLength: Hashable, Sendable {
    package enum Basis: String, Hashable, Sendable {
        /// Xing, Info or VBRI.
        case frameCount = "frame-count"
        /// FLAC's head or last frame.
        case sampleCount = "sample-count"
        /// Ogg's last page.
        case granule
        /// All frames that were seen are of one bit rate.
        case bitRate = "bit-rate"
        /// The mean of the frames that were seen: an estimate.
        case meanRate = "mean-rate"
    }

    package var duration: Duration
    package var basis: Basis
    /// Nothing had to be guessed.
    package var isExact: Bool

    /// Nil where nothing tells.
    ///
    /// A frame count is believed where frames can be as long as it says, and as far as the byte count beside it agrees with the file: one that was cut off, or is
    /// longer than it says, plays for as long as its bytes do at the rate of the two counts.
    package init?(_ facts: AudioFileFacts) {
        let rate = facts.sampleRate
        if let samples = facts.samples {
            let basis = facts.container == .ogg ? Basis.granule : .sampleCount
            self.init(samples: samples, rate, basis, isExact: true)
        } else if let info = facts.info, let frames = info.frames,
            info.isPlausible(bytes: (facts.audioEnd ?? facts.size).map { $0 - facts.infoStart })
        {
            let samples = facts.trim.length ?? frames.multipliedSaturated(by: Int64(info.samples))
            let share = Self.share(info, facts)
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

    /// A year: no file plays longer.
    private static let mostSeconds = 366.0 * 86_400
    /// By how much the byte count may differ: some count the info frame or a tag, and some do not.
    private static let tolerance = 0.02

    private static func share(_ info: MPEGInfoFrame, _ facts: AudioFileFacts) -> Double {
        guard let claimed = info.bytes, let end = facts.audioEnd ?? facts.size else { return 1 }
        let there = Double(max(0, end - facts.infoStart))
        let share = there / Double(claimed)
        let isNear = abs(there - Double(claimed)) <= 4096 || abs(share - 1) <= tolerance
        return isNear ? 1 : share
    }
}
