// SPDX-License-Identifier: MIT

extension Duration {
    /// The duration in whole nanoseconds, truncated towards zero; saturates at about 292 years.
    package var wholeNanoseconds: Int64 {
        // Durations below nine seconds fit in 64 bits, and 128 bits take ten times as long to divide.
        if let few = Int64(exactly: attoseconds) { return few / 1_000_000_000 }
        return Int64(clamping: attoseconds / 1_000_000_000)
    }

    /// The duration in milliseconds, rounded to nearest.
    package var wholeMilliseconds: Int64 {
        let (whole, rest) = wholeNanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return whole + (rest >= 500_000 ? 1 : 0)
    }

    /// The duration without its sign.
    package var magnitude: Duration { self < .zero ? .zero - self : self }

    /// The same as `.nanoseconds(_:)`, which is generic and takes ten times as long.
    package init(nanoseconds: Int64) {
        self.init(attoseconds: Int128(nanoseconds) * 1_000_000_000)
    }

    /// The duration times `numerator / denominator`, in whole nanoseconds truncated towards zero. For code that runs
    /// for each delivery: the operators `*` and `/` are generic and take ten times as long.
    package func scaled(_ numerator: Int64, over denominator: Int64 = 1) -> Duration {
        let (product, overflow) = wholeNanoseconds.multipliedReportingOverflow(by: numerator)
        return overflow
            ? self * Int(numerator) / Int(denominator) : Duration(nanoseconds: product / denominator)
    }

    /// The duration in seconds as a floating-point number, for figures and JSON.
    package var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }

    /// The playing time of `samples` samples at `rate` samples per second, truncated to whole nanoseconds; zero if
    /// `rate` is not positive.
    package static func samples(_ samples: Int64, at rate: Int) -> Duration {
        guard rate > 0 else { return .zero }
        let (seconds, rest) = samples.quotientAndRemainder(dividingBy: Int64(rate))
        return Duration(attoseconds: Int128(seconds) * 1_000_000_000_000_000_000)
            + Duration(nanoseconds: rest * 1_000_000_000 / Int64(rate))
    }
}
