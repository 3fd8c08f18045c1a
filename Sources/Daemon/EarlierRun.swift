// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
package import Storage

/// What an earlier run of the daemon has left in its state folder, for the next run. Each part reads its own file.
package struct EarlierRun: Sendable {
    /// When a daemon last ran with this state folder; nil if unknown.
    package var alive: AliveFile.Content?
    /// Whether the recordings folder knows a later run than the state folder.
    package var isOlder = false
    /// The newest broadcasts that have been judged.
    package var judged: Set<BroadcastID> = []
    /// The newest broadcasts whose results were unknown.
    package var unknown: Set<BroadcastID> = []
    /// What to do about a file that cannot be read.
    package var remedy = "repeat what you have asked for"
    /// The paths of the files that have been read and do not have their kind of content.
    private(set) var unreadable: [String] = []
    private let folder: String?

    /// A run that has left no files.
    package init(alive: AliveFile.Content? = nil) { (self.alive, folder) = (alive, nil) }

    /// Reads the sign of life and the ledger of shows in the state folder. Blocks.
    package init(of state: String) {
        (alive, folder) = (AliveFile(folder: state).read(), state)
        for entry in StateLedger(folder: state, name: StateLedger.shows).newest() {
            guard let broadcast = BroadcastID(entry) else { continue }
            // The clock was ahead, and was set back: this broadcast was still to come when the run ended.
            if let end = entry["until"]?.timeValue, let last = alive?.lastSign, end.instant > last { continue }
            if entry["result"]?.stringValue == RecordingResult.Verdict.unknown.rawValue {
                unknown.insert(broadcast)
            } else {
                judged.insert(broadcast)
            }
        }
    }

    /// Reads a file of the state folder, which has an object with this member, if one is given. Null stands for a file
    /// that is missing or unreadable. Blocks, so it is called only before anything runs.
    mutating func read(_ name: String, with member: String? = nil) -> JSONValue {
        guard let folder, let bytes = StateFile(folder: folder, name: name).read() else { return .null }
        let value = try? JSONValue(parsing: bytes, limit: 1 << 20)
        if let value, case .object = value, member.map({ value[$0]?.arrayValue != nil }) ?? true { return value }
        unreadable.append("\(folder)/\(name)")
        return .null
    }
}
