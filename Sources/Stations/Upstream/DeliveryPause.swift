// SPDX-License-Identifier: MIT

import Instants

/// How long a station usually pauses between two deliveries: the mean of those seen. A pure value.
struct DeliveryPause {
    private var last: MonotonicInstant?
    private var sum = Duration.zero
    private var count = 0

    /// Deliveries closer together than this are one that came in pieces.
    private static let piece = Duration.milliseconds(5)
    private static let enough = 2

    /// Nil until some pauses were seen.
    var usual: Duration? { count >= Self.enough ? sum / count : nil }

    mutating func delivered(_ now: MonotonicInstant) {
        defer { last = now }
        guard let last, now - last > Self.piece else { return }
        sum += now - last
        count += 1
    }
}
