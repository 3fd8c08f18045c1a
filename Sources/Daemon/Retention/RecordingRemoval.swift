// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Storage

/// Deletes the files of a recording, and adds an entry to the ledger before and after the deletion. Its calls block.
struct RecordingRemoval {
    let folder: String
    let ledger: StateLedger
    /// Makes the file system calls on the recordings' disk.
    var system: any FileSystemCalls = LinuxFileSystem()

    /// Returns why the recording could not be deleted; nil if it was deleted. `last` is the refusal of the previous
    /// attempt, so that the same entries are not added to the ledger again.
    func perform(
        _ deletion: RetentionOutcome.Deletion, after last: RetentionOutcome.Refusal?, at time: CivilTime
    ) -> RetentionOutcome.Refusal? {
        let deleter = RecordingDeleter(path: folder, system: system)
        var hasBegun = last?.hasBegun ?? false
        var refusal: RetentionOutcome.Refusal?
        do throws(RecordingDeleter.Refusal) {
            _ = try deleter.delete(deletion.recording, deletion.paths.map(\.place)) {
                () throws(RecordingDeleter.Refusal) in
                if !hasBegun { hasBegun = try begin(entry(deletion, time, "deleting")) }
            }
        } catch {
            refusal = RetentionOutcome.Refusal(why: error, hasBegun: hasBegun)
        }
        guard let refusal else {
            ledger.note(entry(deletion, time, "deleted"))
            return nil
        }
        if refusal != last { ledger.note(entry(deletion, time, "refused", "\(refusal.why)")) }
        return refusal
    }

    /// Adds the entry that precedes a deletion. Without this entry nothing is deleted, except on a full disk, where
    /// only the entry after the deletion can be written. Returns whether the entry was written.
    private func begin(_ entry: JSONValue) throws(RecordingDeleter.Refusal) -> Bool {
        do throws(StorageError) {
            try ledger.append(entry)
            return true
        } catch {
            guard error.code == .noSpace else { throw .unwritten(error.message) }
            return false
        }
    }

    private func entry(
        _ deletion: RetentionOutcome.Deletion, _ time: CivilTime, _ what: String, _ refusal: String? = nil
    ) -> JSONValue {
        var object = JSONObject()
        object.append("at", .string(time.rfc3339))
        object.append("what", .string(what))
        object.append("recording", .string(deletion.recording))
        object.append("station", deletion.station.map(JSONValue.string) ?? .null)
        object.append("show", deletion.show.map(JSONValue.string) ?? .null)
        object.append("files", .array(deletion.paths.map(JSONValue.string)))
        object.append("parts", .array(deletion.files.map(JSONValue.string)))
        object.append("bytes", .integer(deletion.bytes))
        object.append("reason", .string(deletion.reason.map(Self.word) ?? "asked for"))
        if let refusal { object.append("refusal", .string(refusal)) }
        return .object(object)
    }

    /// The reason in the ledger's entries. It is not in `Words`, because the form of the entries on disk must stay the
    /// same when a sentence for people changes.
    private static func word(_ reason: RetentionReason) -> String {
        switch reason {
        case .age(let days): "older than \(days) days"
        case .count(let last): "more than \(last)"
        case .size(let bytes): "more than \(bytes) bytes"
        case .space(let free, let floor): "\(free) bytes free instead of \(floor)"
        }
    }
}

extension RecordingRemoval {
    /// Calls `body` with the files that the ledger says were deleted: the ID of their recording, and which of its files
    /// they were, as the catalog identifies them. Blocks.
    static func forEachDeleted<Error>(
        in ledger: StateLedger, _ body: (String, [String]) throws(Error) -> Void
    ) throws(Error) {
        for entry in ledger.entries() where entry["what"]?.stringValue == "deleted" {
            guard let recording = entry["recording"]?.stringValue else { continue }
            try body(recording, entry["parts"]?.arrayValue?.compactMap(\.stringValue) ?? [])
        }
    }
}

extension String {
    /// The folders and the name of a path below the recordings folder.
    var place: RecordingDeleter.Place {
        let parts = split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        return RecordingDeleter.Place(folders: parts.dropLast(), base: parts.last ?? "")
    }
}
