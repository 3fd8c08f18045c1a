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
        var object = JSONObject()
        object.append("files", .array(leftovers.map(Self.json) + repaired.map(Self.json)))
        object.noteRawBytes(of: paths)
        return .object(object)
    }

    private static func json(_ file: FolderRepair.Leftover) -> JSONValue {
        var object = JSONObject()
        object.append("path", .string(file.path))
        switch file.state {
        case .inUse: object.append("state", "in-use")
        case .unfinished, .unfinishedSidecar: object.append("state", "unfinished")
        case .closed(let error):
            object.append("state", "failed")
            object.append("error", .string(error.message))
        }
        return .object(object)
    }

    private static func json(_ file: RecoveredFile) -> JSONValue {
        var object = JSONObject()
        object.append("path", .string(file.path))
        switch file.outcome {
        case .completed: object.append("state", "completed")
        case .removed: object.append("state", "removed")
        case .failed(let error):
            object.append("state", "failed")
            object.append("error", .string(error.message))
        }
        object.append("seconds", .seconds(file.seconds))
        object.append("frames", .integer(file.frames))
        object.append("bytes", .integer(file.bytes))
        return .object(object)
    }
}
