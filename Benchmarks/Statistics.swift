// SPDX-License-Identifier: MIT

/// The median of the values (the upper one if their number is even); NaN if there are none.
func median(_ values: some Sequence<Double>) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
}

/// The value below or at which the given share of the sorted values lies; NaN if there are none.
func percentile(_ share: Double, of sorted: [Double]) -> Double {
    sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
}

/// The duration of `body` in seconds, on the monotonic clock.
func seconds(_ body: () -> Void) -> Double {
    ContinuousClock().measure(body) / .seconds(1)
}
