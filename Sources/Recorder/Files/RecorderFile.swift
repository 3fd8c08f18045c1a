// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Storage

/// A file of a recording, from its creation to its final sidecar. Confined to the loop's thread.
final class RecorderFile {
    /// Identifies the file to the writer.
    let id: FileID
    let spec: SegmentFileSpec
    var segment: SegmentAccount
    var head: SegmentHead
    /// Packs packets into pages; Ogg only.
    var pages: PageMaker?
    /// The file's present or future path; nil until the file exists.
    var path: String?
    /// The names of the neighbouring files of the recording, for this file's sidecar.
    var previous: String?
    var next: String?
    var stage = Stage.growing
    /// Whether the ledger has changed since the writer got the last sidecar, for a file that is ending.
    var isSidecarOutdated = false

    enum Stage {
        case growing
        /// The planner has closed the file, and the writer has not completed it yet.
        case ending
        case finished(at: MonotonicInstant)
    }

    init(id: FileID, _ draft: FileDraft, segment: SegmentAccount, previous: String?) {
        self.id = id
        spec = draft.spec
        head = draft.head
        pages = draft.pages
        self.segment = segment
        self.previous = previous
    }

    /// The path relative to the recordings folder, by which neighbours refer to the file.
    var name: String? {
        guard let path, let last = path.split(separator: "/").last else { return nil }
        return (spec.folders + [String(last)]).joined(separator: "/")
    }
}
