// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Storage

/// A file of a recording, from its creation to its final sidecar.
final class PendingFile {
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
    /// What is in the complete file, and the path with which it was announced if it got another one.
    private(set) var facts: FileFacts?
    private(set) var formerPath: String?
    /// The length of the companion with copies of found audio; zero without one.
    var foundLength: Int64 = 0
    var hasFound: Bool { foundLength > 0 }
    /// Whether the writer has lent the file, because found audio is being put into it.
    var isLent = false
    /// Whether the owner has been told that the file is finished.
    var isTold = false
    /// For a file that is ending or lent: whether the ledger has changed since the file's last sidecar was passed to
    /// the writer.
    var isSidecarOutdated = false

    enum Stage {
        case growing
        /// The planner has closed the file, and the writer has not completed it yet.
        case ending
        case finished(at: MonotonicInstant)
    }

    /// The newest sidecar of the growing file that was handed to the writer, and when.
    private var newest: (sidecar: Sidecar, at: MonotonicInstant)?

    /// The age at which a sidecar is rewritten even if only its figures have changed. A rewrite after that time is
    /// early enough, because recovery also finds the figures in the audio.
    private static let oldFigures = Duration.seconds(600)

    init(id: FileID, _ draft: FileDraft, segment: SegmentAccount, previous: String?) {
        self.id = id
        spec = draft.spec
        head = draft.head
        pages = draft.pages
        self.segment = segment
        self.previous = previous
    }

    /// The writer has completed the file.
    func complete(_ facts: FileFacts) {
        if path != facts.path { formerPath = path }
        (path, self.facts) = (facts.path, facts)
    }

    /// Takes account of what was put into the complete file. Returns what was added.
    func put(_ new: Sidecar.Healed, _ sidecar: Sidecar) -> (bytes: Int64, samples: Int64) {
        guard let old = facts else { return (0, 0) }
        let added = (bytes: sidecar.bytes - old.bytes, samples: sidecar.samples - old.samples)
        facts?.frames += new.frames
        facts?.bytes += added.bytes
        facts?.samples += added.samples
        facts?.checksum = sidecar.checksum
        segment.put(
            new.frames, before: new.position, bytes: added.bytes, samples: added.samples, start: sidecar.at?.instant)
        return added
    }

    /// Makes a sidecar of the growing file, which was handed to the writer, the newest.
    func handedOver(_ sidecar: Sidecar, _ now: MonotonicInstant) { newest = (sidecar, now) }

    /// Whether a sidecar of the growing file differs enough from the last one to be written.
    func isWorthWriting(_ sidecar: Sidecar, _ now: MonotonicInstant) -> Bool {
        guard let newest, now - newest.at < Self.oldFigures else { return true }
        return !sidecar.differsOnlyInFigures(from: newest.sidecar)
    }

    /// The path relative to the recordings folder, by which neighbours refer to the file.
    var name: String? {
        guard let path, let last = path.split(separator: "/").last else { return nil }
        return (spec.folders + [String(last)]).joined(separator: "/")
    }
}
