// SPDX-License-Identifier: MIT

package import RadioFormats
package import Storage

/// What an earlier run of the daemon has left in its state folder, for the next run. Null stands for a file that is
/// missing or unreadable.
package struct EarlierRun: Sendable {
    /// The record of when a daemon last ran with this state folder; nil if unknown.
    package var alive: AliveFile.Record?
    /// The manual recordings.
    package var manual: JSONValue
    /// The paths of the files that have no such content.
    package var unreadable: [String] = []
    /// The broadcasts that users have skipped.
    package var skipped: JSONValue
    /// The recordings that were under way.
    package var underWay: JSONValue
    /// The entries of lists that were the stations.
    package var choices: JSONValue
    /// The faults that lasted.
    package var faults: JSONValue
    /// The events that hooks have not handled.
    package var hooks: JSONValue
    /// The newest broadcasts that have been judged.
    package var judged: Set<BroadcastID> = []
    /// The newest broadcasts whose results were unknown.
    package var unknown: Set<BroadcastID> = []

    /// Of a daemon that runs for the first time, all but the given parts are missing.
    package init(alive: AliveFile.Record? = nil, manual: JSONValue = .null, skipped: JSONValue = .null) {
        (self.alive, self.manual, self.skipped) = (alive, manual, skipped)
        (underWay, choices, faults, hooks) = (.null, .null, .null, .null)
    }

    /// Reads the files of the state folder. Blocks.
    package init(of state: String) {
        self.init(alive: AliveFile(folder: state).read())
        /// Reads a file, which has an object with this member, if one is given.
        func json(_ name: String, with member: String? = nil) -> JSONValue {
            guard let bytes = StateFile(folder: state, name: name).read() else { return .null }
            let value = try? JSONValue(parsing: bytes, limit: 1 << 20)
            if let value, case .object = value, member.map({ value[$0]?.arrayValue != nil }) ?? true { return value }
            unreadable.append("\(state)/\(name)")
            return .null
        }
        manual = json(ManualRecordings.fileName, with: "recordings")
        skipped = json(SkippedBroadcasts.fileName)
        underWay = json(RecordingLinks.fileName)
        choices = json(ListChoices.fileName)
        faults = json(StandingFaults.fileName)
        hooks = json(HookRunner.fileName)
        for entry in StateLedger(folder: state, name: StateLedger.shows).newest() {
            guard let broadcast = BroadcastID(entry) else { continue }
            if entry["result"]?.stringValue == RecordingResult.Verdict.unknown.rawValue {
                unknown.insert(broadcast)
            } else {
                judged.insert(broadcast)
            }
        }
    }
}
