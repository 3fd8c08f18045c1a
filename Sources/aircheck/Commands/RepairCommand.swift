// SPDX-License-Identifier: MIT

import ArgumentParser
import RadioCore
import RadioFormats
import Storage

/// `aircheck repair`: completes what a crash or a power cut left behind.
struct RepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Completes the files that a crash or a power cut left in a folder.",
        discussion: """
            Cuts each unfinished recording after its last whole frame, gives it its final name and its .json, and \
            removes files without any audio. 'aircheck record' into the folder and 'aircheck serve' do the same when \
            they start. Files that are being recorded are left alone, and so are files of other programs, and disks \
            that are mounted below the folder. No file is ever overwritten.

            Exit status: 0 done, or nothing to do, 64 there is no such folder, 74 a file could not be repaired.
            """)

    @Argument(help: ArgumentHelp("The folder of recordings.", valueName: "folder"), completion: .directory)
    var folder: String

    @Flag(help: "Change nothing, and say what would be done.")
    var dryRun = false

    @Flag(help: "Print the result as one JSON object.")
    var json = false

    func run() throws {
        let repair: FolderRepair
        do throws(StorageError) {
            repair = try FolderRepair(folder: folder)
        } catch {
            throw ValidationError("\(error.message): \(error.remedy)")
        }
        let found = repair.survey()
        var files = RepairReport(found.filter { dryRun || $0.isLeft })
        if !dryRun { repair.run { files.add($0) } }
        if json {
            Console.put(json: files.json)
        } else {
            for line in files.lines { Console.put(line) }
        }
        if files.hasFailed { throw ExitStatus.ioError.code }
    }
}
