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
    /// The path of the file of manual recordings, if there is one that cannot be read.
    package var unreadable: String?
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
    /// The newest broadcasts that have been reported.
    package var judged: Set<BroadcastID> = []

    /// Of a daemon that runs for the first time, all but the given parts are missing.
    package init(alive: AliveFile.Record? = nil, manual: JSONValue = .null, skipped: JSONValue = .null) {
        (self.alive, self.manual, self.skipped) = (alive, manual, skipped)
        (underWay, choices, faults, hooks) = (.null, .null, .null, .null)
    }

    /// Reads the files of the state folder. Blocks.
    package init(of state: String) {
        func json(_ name: String) -> JSONValue? {
            StateFile(folder: state, name: name).read().map { bytes in
                (try? JSONValue(parsing: bytes, limit: 1 << 20)) ?? .null
            }
        }
        alive = AliveFile(folder: state).read()
        let recordings = json(ManualRecordings.fileName)
        manual = recordings ?? .null
        skipped = json(SkippedBroadcasts.fileName) ?? .null
        underWay = json(RecordingLinks.fileName) ?? .null
        choices = json(ListChoices.fileName) ?? .null
        faults = json(StandingFaults.fileName) ?? .null
        hooks = json(HookRunner.fileName) ?? .null
        judged = Set(StateLedger(folder: state, name: StateLedger.shows).newest().compactMap(BroadcastID.init))
        guard let recordings, recordings["recordings"]?.arrayValue == nil else { return }
        unreadable = "\(state)/\(ManualRecordings.fileName)"
    }
}
