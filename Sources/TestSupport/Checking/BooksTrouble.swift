// SPDX-License-Identifier: MIT

import Glibc
import RadioCore
package import TestTools

/// What happens to a daemon and to its files while its books are kept.
package enum BooksTrouble: CaseIterable, Sendable {
    case restart, kill, longKill
    /// The configuration gives all files other names.
    case edit
    /// The catalog is deleted while no daemon runs.
    case lostCatalog
    case lostRunningCatalog
    /// A finished file loses its sidecar. A rescan follows, as after each of the next three.
    case lostSidecar
    /// The audio of a finished file gets another name, and perhaps another folder; its sidecar stays.
    case renamedAudio
    /// The same with the sidecar.
    case renamedFile
    /// A finished file is copied, with its sidecar.
    case copiedFile
    /// A growing file loses its sidecar. A kill follows.
    case lostGrowingSidecar

    /// Each of these troubles a number of times, in random order.
    package static func deck(_ troubles: [BooksTrouble], times: Int, using random: inout SplitMix64) -> [BooksTrouble] {
        (0..<times).flatMap { _ in troubles }.shuffled(using: &random)
    }

    /// Does to a random file below `recordings` what this trouble does to a file; nothing if it is another trouble.
    /// Returns false if there is no such file. `number`: differs at each call.
    package func strike(_ folder: TemporaryFolder, _ number: Int, using random: inout SplitMix64) throws -> Bool {
        switch self {
        case .restart, .kill, .longKill, .edit, .lostCatalog, .lostRunningCatalog: return true
        case .lostSidecar, .renamedAudio, .renamedFile, .copiedFile, .lostGrowingSidecar: break
        }
        let end = self == .lostGrowingSidecar ? ".mp3.part" : ".mp3"
        let files = try folder.contents().filter { $0.hasPrefix("recordings/") && $0.hasSuffix(end) }
        let bases = files.map { String($0.dropLast(end.count)) }.filter { base in
            guard let sidecar = (try? folder.read("\(base).json")).flatMap(Sidecar.init(parsing:)) else { return false }
            // A gap that only the lost sidecar of a growing file has would be lost with it: a kill follows at once.
            return self == .lostGrowingSidecar
                ? sidecar.state == .growing && sidecar.gaps.isEmpty : sidecar.state != .growing
        }
        guard let base = bases.randomElement(using: &random) else { return false }
        let place = "recordings/\(Bool.random(using: &random) ? "sub/" : "")\(self) \(number)"
        try folder.make("recordings/sub")
        switch self {
        case .copiedFile:
            for end in ["mp3", "json"] { try folder.write("\(place).\(end)", folder.read("\(base).\(end)")) }
        case .renamedAudio, .renamedFile:
            for end in self == .renamedAudio ? ["mp3"] : ["mp3", "json"] {
                rename(folder.file("\(base).\(end)"), folder.file("\(place).\(end)"))
            }
        default: unlink(folder.file("\(base).json"))
        }
        return true
    }

    /// Deletes a daemon's catalog below `state`.
    package static func deleteCatalog(_ folder: TemporaryFolder) {
        for end in ["", "-wal", "-shm"] { unlink(folder.file("state/catalog.sqlite\(end)")) }
    }
}
