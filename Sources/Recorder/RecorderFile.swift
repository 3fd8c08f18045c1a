// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Storage

/// One file of a recording, from its creation to its final sidecar. Confined to the loop's thread.
final class RecorderFile {
    /// Names it to the writer.
    let id: FileID
    let spec: SegmentFileSpec
    let format: StreamFormat
    /// Frames of the recording before this file.
    var first: Int64
    var ledger: SegmentLedger
    var head: SegmentHead
    /// Ogg: puts packets into pages.
    var pages: PageMaker?
    /// The path that the file has or is going to have; nil until it exists.
    var path: String?
    /// Its neighbours in the recording, as this file's sidecar names them.
    var previous: String?
    var next: String?
    var stage = Stage.growing
    /// While ending: whether its ledger has changed since the writer got the last sidecar.
    var isSidecarOutdated = false

    enum Stage {
        case growing
        /// The planner has closed it, and the writer has not completed it yet.
        case ending
        case finished(at: MonotonicInstant)
    }

    init(
        id: FileID, spec: SegmentFileSpec, format: StreamFormat, first: Int64, ledger: SegmentLedger, head: SegmentHead
    ) {
        self.id = id
        self.spec = spec
        self.format = format
        self.first = first
        self.ledger = ledger
        self.head = head
    }

    /// The path without the recordings folder, as neighbours are named: folders and file name.
    var name: String? {
        guard let path, let last = path.split(separator: "/").last else { return nil }
        return (spec.folders + [String(last)]).joined(separator: "/")
    }
}
