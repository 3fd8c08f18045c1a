// SPDX-License-Identifier: MIT

import Instants

/// What to do with connections when no descriptor is free: refuse up to 50 a second, beyond that stop accepting.
struct DescriptorShortage {
    private var second: MonotonicInstant?
    private var refusedInSecond = 0

    static let refusalsPerSecond = 50
    /// How long accepting stops.
    static let pause = Duration.milliseconds(200)

    /// Whether one more may be answered with 503 now, and counts it.
    mutating func mayRefuse(now: MonotonicInstant) -> Bool {
        if second.map({ now - $0 >= .seconds(1) }) ?? true {
            second = now
            refusedInSecond = 0
        }
        guard refusedInSecond < Self.refusalsPerSecond else { return false }
        refusedInSecond += 1
        return true
    }
}
