// SPDX-License-Identifier: MIT

import Instants

/// Handles connections when few descriptors are free: refuses up to 50 a second, then stops accepting.
struct DescriptorShortage {
    private var second: MonotonicInstant?
    private var refusedInSecond = 0

    static let refusalsPerSecond = 50
    /// The number of descriptors that client connections leave free for the rest of the program.
    private static let kept = 16
    /// How long accepting stops.
    static let pause = Duration.milliseconds(200)

    /// The descriptor number from which on descriptors are short, in a process with this limit. If the limit is small,
    /// a quarter of it is kept free.
    static func end(limit: Int) -> CInt { CInt(clamping: limit - min(kept, limit / 4)) }

    /// Whether another connection may be refused with 503 now. If so, counts the refusal.
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
