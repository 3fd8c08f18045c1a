// SPDX-License-Identifier: MIT

import Glibc
package import Instants

/// The two clocks of the kernel (`clock_gettime`, no system call on Linux). Any thread.
package enum SystemClock {
    static var monotonic: MonotonicInstant { MonotonicInstant(nanoseconds: read(CLOCK_MONOTONIC)) }

    package static var wall: WallInstant { WallInstant(nanoseconds: read(CLOCK_REALTIME)) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
