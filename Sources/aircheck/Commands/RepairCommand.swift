// SPDX-License-Identifier: MIT

import ArgumentParser
import RadioCore
import RadioFormats
import Storage
import Words

/// `aircheck repair`: completes what a crash or a power cut left behind.
struct RepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Completes the files that a crash or a power cut left in a folder.",
        discussion: """
            Cuts each unfinished recording after its last whole frame, gives it its final name and its .json, and \
            removes files without any audio. 'aircheck record' into the folder and 'aircheck serve' do the same when \
            they start. Files that are being recorded are left alone, and so are files of other programs. No file is \
            ever overwritten.

            Exit status: 0 done, or nothing to do, 64 there is no such folder, 74 a file could not be repaired.
            """)

    @Argument(help: ArgumentHelp("The folder of recordings.", valueName: "folder"), completion: .directory)
    var folder: String

    @Flag(help: "Change nothing, and say what would be done.")
    var dryRun = false

    @Flag(help: "Print the result as one JSON object.")
    var json = false

    func run() throws {
        var console = Console()
        let repair: FolderRepair
        do throws(StorageError) {
            repair = try FolderRepair(folder: folder)
        } catch {
            throw ValidationError("\(error.message): \(error.remedy)")
        }
        let found = repair.survey()
        var files = RepairReport(found.filter { dryRun || $0.state == .inUse })
        if !dryRun { repair.run { files.add($0) } }
        if json {
            try console.report(files.json)
        } else {
            for line in files.lines { Console.put(line) }
        }
        if files.hasFailed { throw ExitStatus.ioError.code }
    }
}

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
