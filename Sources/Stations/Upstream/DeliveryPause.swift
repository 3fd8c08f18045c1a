// SPDX-License-Identifier: MIT

import Instants

/// The station's usual pause between two deliveries: the mean of the observed pauses. A pure value.
struct DeliveryPause {
    private var last: MonotonicInstant?
    private var sum = Duration.zero
    private var count: Int64 = 0

    /// Deliveries closer together than this count as one delivery.
    private static let piece = Duration.milliseconds(5)
    private static let enough = 2

    /// The mean pause; nil until enough pauses have been observed.
    var usual: Duration? { count >= Self.enough ? sum.scaled(1, over: count) : nil }

    mutating func delivered(_ now: MonotonicInstant) {
        defer { last = now }
        guard let last, now - last > Self.piece else { return }
        sum += now - last
        count += 1
    }
}
