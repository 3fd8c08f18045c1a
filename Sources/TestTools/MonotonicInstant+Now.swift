// SPDX-License-Identifier: MIT

import Glibc
package import Instants

extension MonotonicInstant {
    /// The current instant of the machine's monotonic clock, which real event loops use as well.
    package static var now: MonotonicInstant {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return MonotonicInstant(nanoseconds: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
    }
}
