// SPDX-License-Identifier: MIT

extension Duration {
    /// The duration in whole nanoseconds, truncated towards zero; saturates at about 292 years.
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, overflow2) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !overflow2 else { return seconds < 0 ? .min : .max }
        return sum
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
        return .seconds(seconds) + .nanoseconds(rest * 1_000_000_000 / Int64(rate))
    }
}
