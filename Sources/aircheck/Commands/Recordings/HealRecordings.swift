// SPDX-License-Identifier: MIT

import ArgumentParser
import Control
import EventLoop
import Instants
import RadioCore
import RadioFormats
import Storage
import Words

/// `aircheck recordings heal`.
struct HealRecordings: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "heal",
        abstract: "Puts missing audio into recordings that other recordings of the same station have.",
        discussion: """
            Looks at the gaps of complete files, and for recordings of the same station that have the audio: that of a \
            show and that of the whole day, or those from before and after a restart. Frames are put in unchanged, and \
            only where at least eight frames beside the gap are in both recordings. If they fit on one side only, the \
            gap becomes shorter.

            Each healed file is written beside the old one, which needs room for both, and then takes its place. A \
            crash leaves the old file or the healed one. A file that is edited or moved meanwhile is left alone, \
            and nothing is taken from one that was edited since it was recorded. The sidecar lists what was put in, \
            and from where. If the healing of a file was interrupted, the folder is repaired first, as by \
            `aircheck repair`. The exit status is 74 if a file could not be healed.

              aircheck recordings heal --dry-run
            """)

    @Argument(
        help: ArgumentHelp("The IDs of the recordings to heal. Default: all.", valueName: "id"), completion: .recordings
    )
    var ids: [String] = []

    @Flag(help: "Change nothing, and say what could be healed.")
    var dryRun = false

    @Option(
        help: ArgumentHelp("The folder of recordings. Default: that of the running daemon.", valueName: "folder"),
        completion: .directory)
    var folder: String?

    @OptionGroup var options: AnswerOptions

    func run() throws {
        guard let path = try folder ?? daemonsFolder() else { return show(HealingReport()) }
        var healing: LibraryHealing
        do throws(StorageError) {
            healing = try LibraryHealing(path: path, changesNothing: dryRun)
        } catch {
            throw ValidationError("\(error.message): \(error.remedy)")
        }
        var report = HealingReport(settled: healing.settled, unsettled: healing.unsettled)
        if !options.json { report.lines.forEach(Console.put) }
        healing.run(only: Set(ids), now: { SystemClock.wall }) { finding, outcome in
            report.add(finding, outcome)
            if !options.json { Console.put(Wording.line(finding, outcome)) }
        }
        show(report)
        // The catalog learns of the new sidecars, and companions are made anew.
        if folder == nil, report.hasHealed {
            _ = try options.client.answer(ControlTarget("/v1/recordings/rescan"), method: .post)
        }
        if report.hasFailed { throw ExitStatus.ioError.code }
    }

    /// The folder of the daemon's recordings; nil if it has none.
    private func daemonsFolder() throws -> String? {
        var folder: String?
        try RecordingPages.each(options.client, ControlTarget("/v1/recordings"), limit: 1) { recording in
            folder = try recording["id"]?.stringValue.map { try ListedRecording.ask(options.client, $0).folder }
        }
        return folder
    }

    private func show(_ report: HealingReport) {
        if options.json {
            Console.put(json: report.json)
        } else if report.isEmpty {
            Console.put("nothing can be healed")
        }
    }
}

/// What `aircheck recordings heal` has found and done. Pure.
struct HealingReport {
    private var entries: [JSONObject] = []
    private var paths: [String]
    private let settled: [String]
    private let unsettled: [String]
    private(set) var hasHealed: Bool
    private(set) var hasFailed = false

    /// The paths of files whose healing was interrupted: it has been settled, or has not.
    init(settled: [[String]] = [], unsettled: [[String]] = []) {
        self.settled = settled.map { $0.joined(separator: "/") }
        self.unsettled = unsettled.map { $0.joined(separator: "/") }
        paths = self.settled + self.unsettled
        hasHealed = !settled.isEmpty
    }

    var isEmpty: Bool { entries.isEmpty && lines.isEmpty }

    var lines: [String] {
        settled.map { "\(TitleText.cleaned($0)): its healing, which was interrupted, is settled" }
            + unsettled.map {
                "\(TitleText.cleaned($0)): its healing goes on, or was interrupted and has to be settled"
            }
    }

    mutating func add(_ finding: HealingSearch.Finding, _ outcome: LibraryHealing.Outcome) {
        let path = finding.segment.path.joined(separator: "/")
        let (state, problem): (String, RecordingHealer.Problem?) =
            switch outcome {
            case .found: ("found", nil)
            case .healed: ("healed", nil)
            case .failed(let problem): ("failed", problem)
            }
        hasHealed = hasHealed || outcome == .healed
        hasFailed = hasFailed || problem != nil
        paths += ([finding.segment] + finding.sources.map(\.segment)).map { $0.path.joined(separator: "/") }
        entries.append([
            "path": path, "recording": finding.segment.sidecar?.recording, "at": finding.gap.at,
            "position": finding.gap.position, "gap_seconds": finding.gap.milliseconds.map { Double($0) / 1_000 },
            "frames": finding.match.frames.count, "seconds": JSONValue.seconds(finding.length.inSeconds),
            "rest_seconds": JSONValue.seconds(finding.rest.inSeconds), "from": finding.source, "state": state,
            "error": problem.map(Wording.phrase).ifKnown,
        ])
    }

    var json: JSONValue {
        var object: JSONObject = ["healed": entries, "settled": settled, "unsettled": unsettled]
        object.noteRawBytes(of: paths)
        return .object(object)
    }
}
