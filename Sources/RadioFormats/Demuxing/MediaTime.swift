// SPDX-License-Identifier: MIT

/// When a frame is presented, on the time line that its stream states (a presentation time stamp). It comes from the
/// network, and may be wrong.
package struct MediaTime: Hashable, Sendable {
    package var ticks: Int64
    /// The number of ticks in a second, at least one.
    package var scale: Int
    /// The number of ticks after which the count begins anew; nil if it never does.
    package var period: Int64?

    package init(ticks: Int64, scale: Int, period: Int64? = nil) {
        (self.ticks, self.scale, self.period) = (ticks, max(1, scale), period)
    }

    /// A time stamp of MPEG: 33 bits, at 90 kHz (ISO/IEC 13818-1 §2.4.3.7).
    package static func mpeg(_ ticks: Int64) -> MediaTime {
        MediaTime(ticks: ticks & (mpegPeriod - 1), scale: 90_000, period: mpegPeriod)
    }

    private static let mpegPeriod: Int64 = 1 << 33

    /// How long after `other` this time is; negative if it is before. Of counts that begin anew, the nearer direction
    /// counts. Nil if the two are on different time lines.
    package func since(_ other: MediaTime) -> Duration? {
        guard scale == other.scale, period == other.period else { return nil }
        var (ticks, overflows) = ticks.subtractingReportingOverflow(other.ticks)
        guard !overflows else { return nil }
        if let period {
            ticks %= period
            if ticks > period / 2 { ticks -= period } else if ticks < -(period / 2) { ticks += period }
        }
        return Duration(secondsOf: ticks, at: scale)
    }

    /// The time after some samples of audio.
    package func advanced(by samples: Int64, at rate: Int) -> MediaTime {
        guard rate > 0 else { return self }
        let (product, overflows) = samples.multipliedReportingOverflow(by: Int64(scale))
        guard !overflows else { return self }
        var later = self
        // Rounded to the nearest tick.
        later.ticks = ticks.addingSaturated((product + Int64(rate) / 2) / Int64(rate))
        if let period { later.ticks %= period }
        return later
    }
}

extension Duration {
    /// A number of ticks at a rate.
    fileprivate init(secondsOf ticks: Int64, at rate: Int) {
        let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: Int64(rate))
        self = .seconds(seconds) + .nanoseconds(rest * 1_000_000_000 / Int64(rate))
    }
}
