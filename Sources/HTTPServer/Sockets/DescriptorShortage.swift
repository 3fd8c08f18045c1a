// SPDX-License-Identifier: MIT

import Instants

/// What to do with connections when hardly a descriptor is free: refuse up to 50 a second, beyond that stop accepting.
struct DescriptorShortage {
    private var second: MonotonicInstant?
    private var refusedInSecond = 0

    static let refusalsPerSecond = 50
    /// Descriptors that connections of clients leave to the rest of the program.
    private static let kept = 16
    /// How long accepting stops.
    static let pause = Duration.milliseconds(200)

    /// The descriptor number at which the shortage begins, for a limit of the process. Of a small limit a quarter is kept.
    static func end(limit: Int) -> CInt { CInt(clamping: limit - min(kept, limit / 4)) }

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
