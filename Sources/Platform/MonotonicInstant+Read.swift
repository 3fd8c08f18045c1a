// SPDX-License-Identifier: MIT

import Glibc
package import Instants

extension MonotonicInstant {
    /// `clock_gettime(CLOCK_MONOTONIC)`: the real loop's clock, so that instants of both can be compared.
    package static func read() -> MonotonicInstant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
