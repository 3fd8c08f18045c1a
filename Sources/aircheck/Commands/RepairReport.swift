// SPDX-License-Identifier: MIT

import RadioFormats
import Storage
import Words

/// The outcome of a repair. A value.
struct RepairReport {
    private var leftovers: [FolderRepair.Leftover]
    private var repaired: [RecoveredFile] = []

    init(_ leftovers: [FolderRepair.Leftover]) {
        self.leftovers = leftovers
    }

    mutating func add(_ file: RecoveredFile) { repaired.append(file) }

    var hasFailed: Bool {
        repaired.contains { if case .failed = $0.outcome { true } else { false } }
    }

    var lines: [String] {
        let lines = leftovers.map(Wording.line) + repaired.map { Wording.line($0) }
        return lines.isEmpty ? ["nothing is left to complete"] : lines
    }

    var json: JSONValue {
        ["files": .array(leftovers.map(Self.json) + repaired.map(Self.json))]
    }

    private static func json(_ file: FolderRepair.Leftover) -> JSONValue {
        let state =
            switch file.state {
            case .inUse: "in-use"
            case .unfinished, .unfinishedSidecar: "unfinished"
            }
        return ["path": .string(file.path), "state": .string(state)]
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
        object.append("seconds", .number(file.seconds))
        object.append("frames", .integer(file.frames))
        object.append("bytes", .integer(file.bytes))
        return .object(object)
    }
}
