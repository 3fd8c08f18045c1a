// SPDX-License-Identifier: MIT

import Engine
import Instants
import Recorder
import Storage

/// The recordings that cannot be written, so that the end of each fault is told. A full disk is told otherwise: see
/// ``DiskAlarm``.
struct DiskFaults {
    private(set) var failing: [UseID: StandingFault] = [:]
    /// The faults of an earlier run of which people were told, by the descriptions of their uses.
    private var earlier: [String: StandingFault] = [:]

    /// Begins or ends a fault as a notice of a recording says. Returns whether it has ended a fault of which people
    /// were told.
    mutating func note(_ notice: RecorderNotice, of use: UseID, _ key: UseKey, at now: WallInstant) -> Bool {
        switch notice {
        case .failing(let error):
            let isNew = error.code != .noSpace
            let told = earlier.removeValue(forKey: key.description)
            let known = failing[use] ?? told
            failing[use] = StandingFault(
                station: key.station, use: key.description, since: known?.since ?? now, cause: error.message,
                isTold: isNew || known?.isTold == true)
            return false
        case .resumed: return end(use, key)
        case .began: return earlier.removeValue(forKey: key.description) != nil
        default: return false
        }
    }

    /// Ends the fault of a use that has ended, or writes again. Returns whether people were told of this fault.
    mutating func end(_ use: UseID, _ key: UseKey) -> Bool {
        let told = earlier.removeValue(forKey: key.description)
        return (failing.removeValue(forKey: use) ?? told)?.isTold == true
    }

    /// Takes over the faults that an earlier run has left. Returns the stations of recordings that do not continue, as
    /// far as people were told of their faults.
    mutating func resume(_ faults: [StandingFault], wanted: Set<String>) -> [String] {
        let told = faults.filter { $0.isTold && $0.use != nil }
        for fault in told where wanted.contains(fault.use ?? "") { earlier[fault.use ?? ""] = fault }
        return told.filter { !wanted.contains($0.use ?? "") }.map(\.station)
    }

    /// The present faults, and those of the earlier run whose ends are not known yet.
    var standing: [StandingFault] { Array(failing.values) + earlier.values }
}
