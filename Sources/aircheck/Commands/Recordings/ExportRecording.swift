// SPDX-License-Identifier: MIT

import ArgumentParser
import Control
import Engine
import Glibc
import Instants
import Platform
import RadioCore
import RadioFormats
import Storage
import Words

/// `aircheck recordings export`.
struct ExportRecording: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Copies a recording, or a part of it, into one file.",
        discussion: """
            Frames are copied as the station sent them, across files, from the first that was on air at --from to the \
            last before --to. Ogg becomes one stream with pages of its own. A part of an MP3 begins with a few silent \
            frames, because the first audible frame needs data from earlier frames.

            A broadcast may have several recordings, because each run of the daemon begins a new one. They become one \
            file, and what a station has sent twice after a restart is in it once.

            What lies beside the recording's audio is made for the new file, too.

              aircheck recordings export 4f1c09a27be3d851 --from 20:15 --to 20:22:30 --output song.mp3
              aircheck recordings export --show morning --date 2026-11-27 --output morning.mp3
            """)

    @Argument(
        help: ArgumentHelp("The recording's ID, or that of one of its files.", valueName: "id"), completion: .recordings
    )
    var id: String?

    @Option(help: ArgumentHelp("Instead of an ID: the broadcast of this show.", valueName: "id"), completion: .shows)
    var show: String?

    @Option(help: .value("date", "The day of that broadcast, such as 2026-11-24."), transform: ArgumentValue.date)
    var date: CalendarDate?

    @Option(
        help: ArgumentHelp("A time at which that broadcast is on, if the day has several.", valueName: "time"),
        transform: ArgumentValue.time)
    var start: TimeOfDay?

    @Option(help: .value("id", "The show's station, if several have such a show."), completion: .stations)
    var station: String?

    @Option(
        help: ArgumentHelp(
            """
            The beginning: a time on the day when the recording began, in the time zone in which it is \
            listed, or a time such as 2026-11-24T20:15:00+01:00.
            """, valueName: "time"), transform: GivenTime.init(parsing:))
    var from: GivenTime?

    @Option(help: .value("time", "The end, given in the same way."), transform: GivenTime.init(parsing:))
    var to: GivenTime?

    @Option(
        name: .shortAndLong, help: .value("file", "The file to write, or - for standard output."), completion: .file())
    var output: String

    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        guard (id == nil) == (show != nil), (show == nil) == (date == nil),
            show != nil || (station == nil && start == nil)
        else {
            throw ValidationError("give the ID of a recording, or --show and --date")
        }
    }

    /// The IDs of the recordings to export, in order.
    private func recordings() throws -> [String] {
        guard let show, let date else { return [id].compactMap(\.self) }
        return try BroadcastRecordings.ask(daemon.client, show: show, date: date, start: start, station: station)
    }

    func run() throws {
        let ids = try recordings()
        let found = try ids.map { try ListedRecording.ask(daemon.client, $0) }
        // Ctrl-C is held back, because a file that it cuts short would look complete.
        ProcessSignals.hold()
        let parts = zip(ids, found).map { id, files in
            LibraryRecording(
                id: id,
                segments: files.paths.compactMap { files.library.segment(at: $0) }.map {
                    (try? files.library.measured($0)) ?? $0
                })
        }
        let segments = parts.flatMap(\.segments)
        var console = Console()
        guard segments.contains(where: { $0.audio != nil }) else {
            throw console.failure("the files of this recording are gone", .ioError)
        }
        let start = try from.map { try Self.instant($0, in: segments) }
        let end = try to.map { try Self.instant($0, in: segments) }
        let exporter = RecordingExporter(path: found.first?.folder ?? "")
        let joined = exporter.joining(segments, from: start, until: end)
        let excerpt = joined.excerpt.withPreroll
        if let start, let end, start >= end { throw console.failure("--from must be earlier than --to", .usage) }
        let target: CInt
        do throws(SystemError) {
            target = try output == "-" ? STDOUT_FILENO : Self.create(output)
        } catch {
            let reason =
                error.number == EEXIST ? "exists already; choose another --output" : "cannot be created: \(error)"
            throw console.failure("\(output) \(reason)", .ioError)
        }
        let exported: RecordingExporter.Exported
        do throws(RecordingExporter.Problem) {
            exported = try exporter.export(excerpt, to: target)
            guard output == "-" || (fsync(target) == 0 && close(target) == 0) else {
                throw .writing(SystemError(number: errno))
            }
        } catch {
            if output != "-" { unlink(output.pathBytes) }
            guard case .nothing = error, let span = Self.span(of: segments) else {
                throw console.failure("\(error)", .ioError)
            }
            let times = [span.began, span.ended].map { CivilTime($0, in: span.zone).rfc3339 }
            throw console.failure("\(error): it is from \(times[0]) to \(times[1])", .ioError)
        }
        console.say("\(exported.frames) frames (\(Measure.bytes(exported.bytes)))")
        let present = segments.filter { $0.audio != nil }
        let all = found.reduce(0) { $0 + $1.paths.count }
        let (gone, unknown) = (all - present.count, present.count { $0.sidecar == nil })
        Self.warn(exported, gone: gone, unknown: unknown, excerpt, &console)
        for hole in zip(found, parts).flatMap({ $0.holes(in: $1) }) where !hole.isBeforeAll {
            let names = hole.named.map { PathText.shown($0.joined(separator: "/")) }.joined(separator: ", ")
            console.say("warning: \(names): \(Wording.line(hole))")
        }
        if joined.unmatched > 0 {
            console.say(
                "warning: recordings overlap, but their frames differ, so some seconds may be in the file twice")
        }
        if output != "-", let library = found.first?.library {
            writeCompanions(library, excerpt, gaps: (excerpt.sidecar?.gaps ?? []).map { $0.position + exported.lead })
        }
    }

    /// Makes the exported file's companions anew, of each kind that a file of the recording has: its seconds differ.
    private func writeCompanions(_ library: Library, _ excerpt: Excerpt, gaps: [Int64]) {
        guard let container = excerpt.parts.first?.segment.sidecar?.format.container else { return }
        let dot = output.lastIndex(of: ".").flatMap { output[$0...].contains("/") ? nil : $0 } ?? output.endIndex
        for recipe in CompanionRecipes.all
        where excerpt.parts.contains(where: { library.bytes(of: recipe.companion, beside: $0.segment) != nil }) {
            guard let audio = try? FrameFile(path: output, container: container),
                let bytes = recipe.make(of: audio, gaps: Set(gaps))
            else { continue }
            let path = recipe.companion.name(of: String(output[..<dot]))
            do throws(SystemError) {
                let file = try Self.create(path)
                defer { close(file) }
                do throws(SystemError) {
                    try writeAll(bytes, to: file)
                } catch {
                    unlink(path.pathBytes)
                    throw error
                }
            } catch {
                var console = Console()
                console.say("warning: \(path) cannot be written: \(error)")
            }
        }
    }

    /// Warns about what is missing in the file.
    private static func warn(
        _ exported: RecordingExporter.Exported, gone: Int, unknown: Int, _ excerpt: Excerpt, _ console: inout Console
    ) {
        if gone > 0 {
            console.say("warning: \(Measure.count(gone, "file")) of the recording \(gone == 1 ? "is" : "are") gone")
        }
        if unknown > 0 {
            console.say(
                "warning: \(Measure.count(unknown, "file")) of the recording \(unknown == 1 ? "has" : "have") no sidecar "
                    + "that can be read, and \(unknown == 1 ? "is" : "are") left out")
        }
        if exported.missing > 0 {
            console.say("warning: \(exported.missing) recorded frames are no longer in the files")
        }
        let gaps = excerpt.parts.reduce(0) { sum, part in
            sum + (part.segment.sidecar?.gaps ?? []).count { part.frames.contains($0.position) }
        }
        if gaps > 0 {
            console.say("warning: the exported part has \(Measure.count(gaps, "gap"))")
        }
    }

    /// When a recording was on air, and the zone in which it is listed; nil if that is unknown.
    private static func span(
        of segments: [LibrarySegment]
    ) -> (began: WallInstant, ended: WallInstant, zone: RecordedZone)? {
        let began = segments.compactMap { $0.sidecar?.at?.instant }.min()
        guard let began, let zone = RecordedZone(of: segments) else { return nil }
        return (began, max(began, segments.compactMap { $0.sidecar?.endOfAudio }.max() ?? began), zone)
    }

    private static func instant(_ given: GivenTime, in segments: [LibrarySegment]) throws -> WallInstant {
        switch given {
        case .instant(let instant): return instant
        case .clock(let time):
            guard let span = span(of: segments) else {
                var console = Console()
                throw console.failure("no file says on which day it was on air: give dates with the times", .ioError)
            }
            return time.nearest(from: span.began, to: span.ended, in: span.zone)
        }
    }

    private static func create(_ path: String) throws(SystemError) -> CInt {
        try systemCall { open(path.pathBytes, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
    }
}

extension ExportRecording {
    /// A time in a recording, as an option gives it.
    enum GivenTime {
        case instant(WallInstant)
        case clock(TimeOfDay)

        init(parsing text: String) throws {
            if let time = CivilTime(rfc3339: text) {
                self = .instant(time.instant)
            } else if let time = try? TimeOfDay(parsing: text) {
                self = .clock(time)
            } else {
                throw ValidationError("'\(text)' is not a time: write it like 20:15:30 or 2026-11-24T20:15:30+01:00")
            }
        }
    }
}
