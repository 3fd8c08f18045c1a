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
        abstract: "Reads a recording's files, and compares them with their sidecars.",
        discussion: """
            Counts frames, bytes, samples and bytes outside frames; says whether the audio is still exactly what \
            was recorded, whether each gap lies within its file, and which files are gone. Tags may be edited. Frames that came \
            from the station with a wrong checksum are counted, and are no fault of the recording. The exit status is 74 \
            if anything differs.
            """)

    @Argument(help: ArgumentHelp("The recording's ID.", valueName: "id"), completion: .recordings)
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
        let recording = LibraryRecording(id: id, segments: found.paths.compactMap { found.library.segment(at: $0) })
        for hole in recording.holes where !hole.named.allSatisfy(found.paths.contains) {
            Console.put(Wording.line(hole))
            // Retention deletes the oldest files of a continuous recording one by one.
            let isRight = hole.isBeforeAll && !recording.segments.contains { $0.sidecar?.show != nil }
            isGood = isGood && isRight
        }
        if !isGood { throw ExitStatus.ioError.code }
    }

    private func check(_ path: [String], in library: Library) -> (line: String, isRight: Bool) {
        do throws(StorageError) {
            guard let segment = library.segment(at: path), let check = try library.check(segment) else {
                return ("the file is gone", false)
            }
            let flaws = check.flaws(of: segment)
            let line = Wording.line(check, flaws, beside: segment.sidecar, isGrowing: segment.isGrowing)
            return (line, flaws.isEmpty)
        } catch {
            return ("\(error.message): \(error.remedy)", false)
        }
    }
}

/// The files of a recording, as listed by the daemon.
struct RecordedFiles {
    var folder: String
    /// The paths of the files, relative to the folder.
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
