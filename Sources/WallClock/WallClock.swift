// SPDX-License-Identifier: MIT

import Glibc
package import Instants

/// The wall clock of the machine.
package enum WallClock {
    /// The current time of `CLOCK_REALTIME`. Any thread.
    package static func now() -> WallInstant {
        var time = timespec()
        // Cannot fail: the clock exists and the pointer is good.
        clock_gettime(CLOCK_REALTIME, &time)
        return WallInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
