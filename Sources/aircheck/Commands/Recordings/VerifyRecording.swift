// SPDX-License-Identifier: MIT

import ArgumentParser
import Control
import RadioCore
import RadioFormats
import Storage
import Words

/// `aircheck recordings verify`.
struct VerifyRecording: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Reads a recording's files, and compares them with what was written down of them.",
        discussion: """
            Counts frames, bytes and samples, frames with a wrong checksum, and bytes that do not belong there. The exit \
            status is 74 if anything differs.
            """)

    @Argument(help: ArgumentHelp("The recording's ID.", valueName: "id"))
    var id: String

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let found = try RecordedFiles.ask(daemon.client, id)
        var isGood = true
        for path in found.paths {
            let (line, isRight) = check(path, in: found.library)
            Console.put("\(path.joined(separator: "/")): \(line)")
            isGood = isGood && isRight
        }
        if !isGood { throw ExitStatus.ioError.code }
    }

    private func check(_ path: [String], in library: Library) -> (line: String, isRight: Bool) {
        do throws(StorageError) {
            guard let segment = library.segment(at: path), let check = try library.check(segment) else {
                return ("it is gone", false)
            }
            var flaws: [String] = []
            if let sidecar = segment.sidecar, !segment.isGrowing {
                if sidecar.frames != check.frames { flaws.append("\(sidecar.frames) frames were written down") }
                if sidecar.bytes != check.bytes { flaws.append("\(sidecar.bytes) bytes were written down") }
            } else if segment.sidecar == nil {
                flaws.append("nothing was written down of it")
            }
            if check.foreignBytes > 0 { flaws.append("\(check.foreignBytes) bytes belong to no frame") }
            var facts = ["\(check.frames) frames, \(Measure.bytes(check.bytes))"]
            // The station sent them like this, so nothing is wrong with the recording.
            if check.wrongChecksums > 0 {
                facts.append(
                    "\(Measure.count(Int(clamping: check.wrongChecksums), "frame")) came with a wrong checksum")
            }
            let gaps = segment.sidecar?.gaps.count ?? 0
            if gaps > 0 { facts.append(Measure.count(gaps, "gap")) }
            if segment.isGrowing { facts.append("still being recorded") }
            return ((facts + flaws.map { "NOT AS IT SHOULD BE: \($0)" }).joined(separator: "; "), flaws.isEmpty)
        } catch {
            return ("\(error.message): \(error.remedy)", false)
        }
    }
}

/// The files of a recording, as the daemon knows them.
struct RecordedFiles {
    var folder: String
    /// Below the folder.
    var paths: [[String]]

    var library: Library { Library(path: folder, depth: NameTemplate.maxComponents) }

    static func ask(_ client: ControlClient, _ id: String) throws -> RecordedFiles {
        let answer = try DaemonQuestion.ask(client, ControlTarget("/v1/recording").adding("id", id))
        let paths = (answer["files"]?.arrayValue ?? []).compactMap { $0["path"]?.stringValue }
        return RecordedFiles(
            folder: answer["folder"]?.stringValue ?? "",
            paths: paths.map { $0.split(separator: "/").map(String.init) })
    }
}
