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
        abstract: "Reads the files of one or all recordings, and compares them with their sidecars.",
        discussion: """
            With --all, only copies and files at which something is wrong have a line, and the last line sums up. \
            Counts frames, bytes, samples and bytes outside frames; says whether the audio is still exactly what \
            was recorded, whether each gap lies within its file, and which files are gone. Files that Aircheck deleted \
            are no fault, and tags may be edited. Frames that came from the station with a wrong checksum are counted, \
            and are no fault of the recording. The exit status is 74 if anything differs.
            """)

    @Argument(
        help: ArgumentHelp("The recording's ID, or that of one of its files.", valueName: "id"), completion: .recordings
    )
    var id: String?

    @Flag(help: "Verify all recordings, the newest first.")
    var all = false

    @Option(help: ArgumentHelp("With --all: only recordings of this station.", valueName: "id"), completion: .stations)
    var station: String?

    @OptionGroup var options: AnswerOptions

    func validate() throws {
        if all == (id != nil) {
            throw ValidationError(all ? "with --all, no ID is needed" : "give the ID of a recording, or --all")
        }
        if station != nil, !all { throw ValidationError("--station is for --all") }
    }

    func run() throws {
        var report = VerificationReport()
        if let id {
            try verify(id, &report)
        } else {
            try RecordingPages.each(options.client, ControlTarget("/v1/recordings").adding("station", station)) {
                guard let id = $0["id"]?.stringValue else {
                    throw ValidationError("the daemon lists a recording without an ID; is it of another version?")
                }
                // A recording that is deleted meanwhile is no fault.
                try verify(id, &report, isListed: true)
            }
        }
        if options.json {
            Console.put(json: report.json)
        } else if all {
            Console.put(report.summary)
        }
        if report.damaged > 0 { throw ExitStatus.ioError.code }
    }

    /// Verifies the files of a recording. `isListed`: whether the daemon has just listed it.
    private func verify(_ id: String, _ report: inout VerificationReport, isListed: Bool = false) throws {
        guard let found = try ListedRecording.ask(options.client, id, mayBeGone: isListed) else { return }
        var files: [VerificationReport.File] = []
        func note(_ file: VerificationReport.File) {
            files.append(file)
            // Of many recordings, only what is wrong is worth a line.
            guard !options.json, !all || !file.isRight else { return }
            Console.put("\(all ? "\(id) " : "")\(TitleText.cleaned(file.path)): \(file.words)")
        }
        for path in found.paths {
            let (line, isRight) = check(path, in: found.library)
            note(VerificationReport.File(paths: [path], words: line, isRight: isRight))
        }
        let recording = LibraryRecording(id: id, segments: found.paths.compactMap { found.library.segment(at: $0) })
        for hole in found.holes(in: recording) {
            // Retention deletes the oldest files of a continuous recording one by one.
            let isRight = hole.isDeleted || hole.isBeforeAll && !recording.segments.contains { $0.sidecar?.show != nil }
            note(VerificationReport.File(paths: hole.named, words: Wording.line(hole), isRight: isRight))
        }
        if !options.json { for copy in found.copies { Console.put("\(all ? "\(id) " : "")\(copy.line)") } }
        report.add(id, files, copies: found.copies, listsFiles: options.json)
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
