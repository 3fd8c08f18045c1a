// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Storage

/// One file of a recording, from its creation to its final sidecar. Confined to the loop's thread.
final class RecorderFile {
    /// Names it to the writer.
    let id: FileID
    let spec: SegmentFileSpec
    var segment: SegmentAccount
    var head: SegmentHead
    /// Ogg: puts packets into pages.
    var pages: PageMaker?
    /// The path that the file has or is going to have; nil until it exists.
    var path: String?
    /// Its neighbours in the recording, as this file's sidecar names them.
    var previous: String?
    var next: String?
    var stage = Stage.growing
    /// While ending: whether the ledger has changed since the writer got the last sidecar.
    var isSidecarOutdated = false

    enum Stage {
        case growing
        /// The planner has closed it, and the writer has not completed it yet.
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

    /// The path without the recordings folder, as neighbours are named: folders and file name.
    var name: String? {
        guard let path, let last = path.split(separator: "/").last else { return nil }
        return (spec.folders + [String(last)]).joined(separator: "/")
    }
}
