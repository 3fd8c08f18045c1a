// SPDX-License-Identifier: MIT

import Glibc
package import Instants

/// The clock of the machine.
package enum WallClock {
    /// Now, as `clock_gettime(CLOCK_REALTIME)` has it. Any thread.
    package static func now() -> WallInstant {
        var time = timespec()
        // Cannot fail: the clock exists and the pointer is good.
        clock_gettime(CLOCK_REALTIME, &time)
        return WallInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
