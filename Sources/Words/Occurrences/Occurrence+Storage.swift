// SPDX-License-Identifier: MIT

import Catalog
import Configuration
package import Daemon
import RadioCore
import RadioFormats
import Storage

extension RetentionReason.Kind {
    /// The reason in lists.
    package var words: String {
        switch self {
        case .age: "too old"
        case .count: "too many"
        case .size: "too large"
        case .space: "less than free-space is free"
        }
    }
}

// Occurrences of retention and the catalog.
extension Wording {
    static func occurrence(_ outcome: RetentionOutcome) -> Occurrence {
        if let problem = outcome.problem {
            return Occurrence(
                .error, "retention failed",
                "something is wrong with the recordings folder (\(problem)); no old recording is deleted "
                    + "until this is fixed")
        }
        let (gone, refused) = (outcome.gone, outcome.deletions.filter { $0.refusal != nil })
        let refusal = refused.first?.refusal
        let bytes = gone.reduce(Int64(0)) { $0 + $1.bytes }
        // A deletion may be one file of an endless recording, so files are counted.
        let files = { (deletions: [RetentionOutcome.Deletion]) in
            Measure.count(deletions.reduce(0) { $0 + $1.paths.count }, "old file")
        }
        var parts: [String] = []
        if !gone.isEmpty { parts.append("deleted \(files(gone)) (\(Measure.bytes(bytes)))") }
        if let refusal { parts.append("\(files(refused)) could not be deleted: \(refusal)") }
        if outcome.isLow {
            parts.append(
                "the disk has only \(Measure.bytes(outcome.free ?? 0)) free, not the \(Measure.bytes(outcome.floor)) "
                    + "that should be free")
        }
        if outcome.isOutOfReach { parts.append(outOfReach(floor: outcome.floor)) }
        if let waiting = outcome.waiting { parts.append(line(waiting)) }
        if parts.isEmpty { parts.append("the disk has enough room again") }
        return Occurrence(
            outcome.isLow || !refused.isEmpty || outcome.waiting != nil ? .warning : .notice,
            outcome.isLow ? "disk low" : "retention",
            with: [
                "deleted": "\(gone.count)", "bytes": "\(bytes)",
                "free": outcome.free.map { "\($0)" } ?? "unknown",
            ], parts.joined(separator: "; "),
            // Each run repeats the same refusal, so it is counted. But an entry with deletions is always logged.
            fault: gone.isEmpty ? refusal.map { "\(undeletable)\(outcome.isLow ? "low, " : "")\($0)" } : nil,
            ends: refusal == nil ? undeletable : nil)
    }

    /// What changed rules will delete, and what may be done about it.
    private static func line(_ waiting: RetentionOutcome.Waiting) -> String {
        let what = "\(Measure.count(waiting.files, "file")) (\(Measure.bytes(waiting.bytes)))"
        return "the rules have changed, and will delete \(what) that were kept before, from "
            + "\(Measure.minute(waiting.until.rfc3339)) on: 'aircheck recordings clean' lists them"
    }

    /// Why nothing is deleted to free space.
    package static func outOfReach(floor: Int64) -> String {
        "deleting every recording that may be deleted would not free \(Measure.bytes(floor)), so none is deleted for "
            + "free-space"
    }

    /// The prefix of the names of faults that prevent deleting recordings.
    private static let undeletable = "not deleted: "

    static func occurrence(_ notice: CatalogThread.Notice) -> Occurrence? {
        switch notice {
        case .opened(let opening):
            guard let aside = opening.setAside else { return nil }
            return Occurrence(
                .error, "catalog set aside", with: ["file": aside],
                "the catalog was damaged (\(opening.damage ?? "")) and is rebuilt; its old file is \(aside)")
        case .failed(let error):
            return Occurrence(.error, "catalog failed", "\(error)", fault: "catalog \(error)")
        case .deleted:
            return Occurrence(
                .error, "catalog deleted", "the catalog's file was deleted; the catalog is being rebuilt")
        case .fellBehind(let again):
            guard !again else { return nil }
            return Occurrence(
                .warning, "catalog behind",
                "the catalog has missed changes, and will be rebuilt as soon as it can be used")
        }
    }

    static func occurrence(_ finding: RebuildFinding) -> Occurrence {
        switch finding {
        case .mended(let file):
            let name = TitleText.cleaned(file.segment.path.joined(separator: "/"))
            let how =
                file.formerPath.map { "its audio is that of \(TitleText.cleaned($0)), so its sidecar was renamed, too" }
                ?? "its sidecar was gone or damaged, and has been made again"
            return Occurrence(.notice, "sidecar mended", with: ["file": name], "\(name): \(how)")
        case .notMended(let error):
            return Occurrence(.warning, "sidecar not mended", "a lost sidecar was not made again: \(error)")
        case .copy(let copy):
            let (name, original) = (TitleText.cleaned(copy.path), TitleText.cleaned(copy.original))
            return Occurrence(
                .notice, "copy found", with: ["file": name, "original": original],
                "\(name) is a copy of \(original), and does not count as a file of the recording")
        }
    }
}
