// SPDX-License-Identifier: MIT

import RadioFormats
import Storage
import Words

/// The outcome of a repair.
struct RepairReport {
    private var leftovers: [FolderRepair.Leftover]
    private var repaired: [RecoveredFile] = []

    init(_ leftovers: [FolderRepair.Leftover]) {
        self.leftovers = leftovers
    }

    mutating func add(_ file: RecoveredFile) { repaired.append(file) }

    var hasFailed: Bool {
        leftovers.contains { if case .closed = $0.state { true } else { false } }
            || repaired.contains { if case .failed = $0.outcome { true } else { false } }
    }

    var lines: [String] {
        let lines = leftovers.map(Wording.line) + repaired.map { Wording.line($0) }
        return lines.isEmpty ? ["nothing is left to complete"] : lines
    }

    var json: JSONValue {
        let paths = leftovers.map(\.path) + repaired.map(\.path)
        var object: JSONObject = ["files": leftovers.map(Self.json) + repaired.map(Self.json)]
        object.noteRawBytes(of: paths)
        return .object(object)
    }

    private static func json(_ file: FolderRepair.Leftover) -> JSONObject {
        let (state, error): (String, StorageError?) =
            switch file.state {
            case .inUse: ("in-use", nil)
            case .unfinished, .unfinishedSidecar, .foundAudio: ("unfinished", nil)
            case .closed(let error): ("failed", error)
            }
        return ["path": file.path, "state": state, "error": (error?.message).ifKnown]
    }

    private static func json(_ file: RecoveredFile) -> JSONObject {
        let (state, error): (String, StorageError?) =
            switch file.outcome {
            case .completed: ("completed", nil)
            case .removed: ("removed", nil)
            case .failed(let error): ("failed", error)
            }
        return [
            "path": file.path, "state": state, "error": (error?.message).ifKnown,
            "seconds": JSONValue.seconds(file.seconds), "frames": file.frames, "bytes": file.bytes,
        ]
    }
}
