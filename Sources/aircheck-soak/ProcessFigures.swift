// SPDX-License-Identifier: MIT

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
        guard let status = ProcessStatus() else { throw SetupError("the kernel says nothing of this process") }
        return status.residentMemory >> 10
    }
}
