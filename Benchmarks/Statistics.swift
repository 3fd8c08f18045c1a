// SPDX-License-Identifier: MIT

/// The middle one of several measurements; not a number where there are none.
func median(_ values: some Sequence<Double>) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
}

/// The value that a share of sorted values is at most; not a number where there are none.
func percentile(_ share: Double, of sorted: [Double]) -> Double {
    sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
}

/// How long something takes, in seconds of the monotonic clock.
func seconds(_ body: () -> Void) -> Double {
    ContinuousClock().measure(body) / .seconds(1)
}
