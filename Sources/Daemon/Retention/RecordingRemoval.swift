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

    /// Those of some paths below the recordings folder at which there is certainly no audio, because somebody deleted
    /// it by hand.
    func missing(of paths: [String]) -> [String] {
        let library = Library(path: folder, depth: NameTemplate.maxComponents)
        return paths.filter { (try? library.hasAudio(at: $0)) == false }
    }

    /// Returns why the recording could not be deleted; nil if it was deleted. What the ledger says already of a
    /// deletion that retention tries again and again is not entered once more.
    func perform(_ deletion: RetentionOutcome.Deletion, at time: CivilTime) -> RecordingDeleter.Refusal? {
        let deleter = RecordingDeleter(path: folder, system: system)
        let key = deletion.reason.map { _ in "\(deletion.recording) \(deletion.paths)" }
        do throws(RecordingDeleter.Refusal) {
            try deleter.delete(deletion.recording, deletion.paths) { () throws(RecordingDeleter.Refusal) in
                do throws(StorageError) {
                    try ledger.append(entry(deletion, time, "deleting"), once: key)
                } catch {
                    // On a full disk, only the entry after the deletion can be written.
                    guard error.code == .noSpace else { throw .unwritten(error.message) }
                }
            }
        } catch {
            ledger.note(entry(deletion, time, "refused", "\(error)"), once: key.map { "\($0) \(error)" })
            return error
        }
        ledger.note(entry(deletion, time, "deleted"))
        if let key { ledger.forget(key) }
        return nil
    }

    private func entry(
        _ deletion: RetentionOutcome.Deletion, _ time: CivilTime, _ what: String, _ refusal: String? = nil
    ) -> JSONValue {
        .object([
            "at": time, "what": what, "recording": deletion.recording, "station": deletion.station,
            "show": deletion.show, "files": deletion.paths, "parts": deletion.files, "bytes": deletion.bytes,
            "reason": deletion.reason?.entry ?? "asked for", "refusal": refusal.ifKnown,
        ])
    }
}

extension RecordingRemoval {
    /// The files that the ledger says were deleted: the ID of their recording, and which of its files they were, as the
    /// catalog identifies them. Blocks.
    static func deleted(in ledger: StateLedger) -> [(recording: String, files: [String])] {
        ledger.entries().filter { $0["what"]?.stringValue == "deleted" }.compactMap { entry in
            let files = entry["parts"]?.arrayValue?.compactMap(\.stringValue) ?? []
            return entry["recording"]?.stringValue.map { ($0, files) }
        }
    }
}
