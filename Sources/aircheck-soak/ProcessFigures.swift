// SPDX-License-Identifier: MIT

import Glibc
import Instants
import TestSupport

/// The clock of the cases.
enum SoakClock {
    /// Whole seconds of the monotonic clock.
    static func seconds() -> Int64 { MonotonicInstant.now.nanoseconds / 1_000_000_000 }
}

/// What this process takes.
enum ProcessFigures {
    /// Resident memory in KiB.
    static func residentKiB() throws -> Int {
        let fields = String(decoding: try bytes(ofFile: "/proc/self/statm"), as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { throw SetupError("/proc/self/statm is unreadable") }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024
    }
}
