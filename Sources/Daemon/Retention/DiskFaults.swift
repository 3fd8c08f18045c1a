// SPDX-License-Identifier: MIT

import Engine
import Recorder
import Storage

/// The recordings that cannot be written for another reason than a full disk, so that the end of each fault is told.
struct DiskFaults {
    private var failing: Set<UseID> = []

    /// Notes a notice of a recording. Returns whether it ends a fault.
    mutating func ends(_ notice: RecorderNotice, of use: UseID) -> Bool {
        switch notice {
        case .failing(let error) where error.code != .noSpace:
            failing.insert(use)
            return false
        case .resumed: return failing.remove(use) != nil
        default: return false
        }
    }

    /// Notes that a use has ended. Returns whether this ends a fault: a use that has ended writes nothing any more.
    mutating func forget(_ use: UseID) -> Bool { failing.remove(use) != nil }
}
