// SPDX-License-Identifier: MIT

import Catalog

/// The shows and manual recordings that are not over, which retention must not delete.
///
/// Their files may already be finished, for example on a full disk. After a restart or a change of the configuration, a
/// show or a manual recording may consist of several recordings. A continuous recording is never over, and is not
/// listed here: its finished files may be deleted.
struct UnfinishedRecordings: Sendable {
    /// The IDs of recordings that are not over.
    var recordings: Set<String> = []
    /// The broadcasts that are not over.
    var broadcasts: Set<BroadcastID> = []

    func contains(_ stored: StoredRecording) -> Bool {
        if recordings.contains(stored.recording) { return true }
        guard let station = stored.station, let show = stored.show, let begins = stored.broadcast else { return false }
        return broadcasts.contains(BroadcastID(station: station, show: show, begins: begins))
    }
}
