// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import RadioFormats
import TestSupport
import TestTools

/// Checks the books of a daemon with four stations and six shows after restarts, kills, outages, edits, and lost or
/// renamed files in random order: lists, links, gaps, verdicts, checksums and exports agree with the frames that the stations sent.
struct DaemonBooks: SoakCase {
    let name = "daemon-books"
    let hazard = "I9"

    private static let troubles: [BooksTrouble] = [
        .restart, .kill, .longKill, .edit, .lostCatalog, .lostRunningCatalog, .lostSidecar, .renamedAudio, .renamedFile,
    ]

    private static let stations = ["a", "b", "c", "d"]
    /// The spans of the shows of each station, as parts of the run.
    private static let shows = [[0.1..<0.3], [0.2..<0.7], [0.1..<0.4, 0.5..<0.8], [0.3..<0.6, 0.45..<0.9]]

    func run(_ plan: SoakPlan) throws -> String {
        let programme = Broadcast([.music(.seconds(plan.minutes * 90 + 300))], MPEGShape(32), seed: plan.seed)
        var random = SplitMix64(seed: plan.seed)
        let scripts = Self.stations.map { _ in Self.script(programme, &random, plan) }
        let absences = Dictionary(uniqueKeysWithValues: zip(Self.stations, scripts.map(\.absences)))
        let origins = try Dictionary(
            uniqueKeysWithValues: zip(Self.stations, scripts).map { ($0, try ScriptedOrigin($1)) })
        let folder = try TemporaryFolder("aircheck-soak")
        let setup = Setup(plan, folder, origins.mapValues { $0.url("/live") }, port: try Loopback.freePort())
        try setup.write(round: 0)
        var daemon = try start(folder)
        let began = SoakClock.seconds()
        var (counts, log, round) = ([BooksTrouble: Int](), "", 0)
        var down: [Range<WallInstant>] = []
        while SoakClock.seconds() - began < plan.minutes * 60 {
            round += 1
            try pause(.milliseconds(Int64.random(in: 2_000...8_000, using: &random)), daemon)
            guard let trouble = Self.troubles.randomElement(using: &random),
                try trouble.strike(folder, round, using: &random)
            else { continue }
            counts[trouble, default: 0] += 1
            let start = SoakClock.wall
            let away = Duration.milliseconds(
                trouble == .longKill
                    ? Int64.random(in: 5_000...30_000, using: &random) : Int64.random(in: 0...4_000, using: &random))
            log += "\(SoakClock.wall) \(trouble), away for \(away)\n"
            switch trouble {
            case .edit:
                try setup.write(round: round)
                try DaemonTalk.ask(["reload"], socket: folder.file("socket"))
                continue
            case .lostSidecar, .renamedAudio, .renamedFile, .copiedFile:
                try DaemonTalk.ask(["recordings", "rescan"], socket: folder.file("socket"))
                continue
            case .lostRunningCatalog:
                BooksTrouble.deleteCatalog(folder)
                continue
            case .restart, .lostCatalog: daemon.terminate()
            case .kill, .longKill, .lostGrowingSidecar: daemon.kill()
            }
            log += try daemon.wait(within: .seconds(30)).standardError
            if trouble == .lostCatalog { BooksTrouble.deleteCatalog(folder) }
            _ = waitUntil(away) { false }
            daemon = try self.start(folder)
            down.append(start..<SoakClock.wall)
        }
        try pause(.seconds(60), daemon)
        let end = SoakClock.wall
        // At the end nothing is recorded, so that no recording is under way when the books are read.
        try setup.write(round: round, records: false)
        try DaemonTalk.ask(["reload"], socket: folder.file("socket"))
        try pause(.seconds(15), daemon)
        let books = Books(
            folder, programme, origins.mapValues { SoakClock.wall - (MonotonicInstant.now - $0.began) - .seconds(40) },
            absences, down)
        let complaints = try books.complaints(setup, until: end)
        daemon.terminate()
        log += try daemon.wait(within: .seconds(30)).standardError
        try Harm.unless(complaints.isEmpty, complaints.joined(separator: "\n") + "\n" + log)
        let told = counts.map { "\($0.value) of \($0.key)" }.sorted().joined(separator: ", ")
        return "\(round) troubles (\(told)); \(books.description)"
    }

    /// A station that is away from time to time.
    private static func script(_ programme: Broadcast, _ random: inout SplitMix64, _ plan: SoakPlan) -> LiveScript {
        var script = LiveScript(.stream(LiveStream(programme, burst: 16_000)))
        var time = Double.random(in: 20...60, using: &random)
        while time < Double(plan.minutes * 80) {
            let length = Double.random(in: 1...20, using: &random)
            script.absences.append(.init(.seconds(time), for: .seconds(length), .gone))
            time += length + Double.random(in: 40...120, using: &random)
        }
        return script
    }

    private func start(_ folder: TemporaryFolder) throws -> ChildProcess {
        let daemon = try DaemonTalk.serve(in: folder)
        let isUp = waitUntil(.seconds(30)) { !daemon.isRunning || daemon.errorSoFar.contains("listening on") }
        try Harm.unless(isUp && daemon.isRunning, "the daemon does not run:\n\(daemon.errorSoFar)")
        return daemon
    }

    private func pause(_ time: Duration, _ daemon: ChildProcess) throws {
        let isGone = waitUntil(time) { !daemon.isRunning }
        try Harm.unless(!isGone, "the daemon ended:\n\(daemon.errorSoFar)")
    }

    /// The daemon's configuration.
    private struct Setup {
        let folder: TemporaryFolder
        let urls: [String: String]
        let port: Int
        let began = SoakClock.wall
        let length: Double

        init(_ plan: SoakPlan, _ folder: TemporaryFolder, _ urls: [String: String], port: Int) {
            (self.folder, self.urls, self.port, length) = (folder, urls, port, Double(plan.minutes * 60))
        }

        /// Two stations are always recorded. The names of all files change with each round.
        func write(round: Int, records: Bool = true) throws {
            var text = """
                [server]
                listen = ["127.0.0.1:\(port)"]
                [storage]
                recordings = "\(folder.file("recordings"))"
                state = "\(folder.file("state"))"
                free-space = "0MB"

                """
            for (index, station) in DaemonBooks.stations.enumerated() {
                text += """
                    [[station]]
                    id = "\(station)"
                    name = "\(station)"
                    url = "\(urls[station] ?? "")"
                    record = "\(!records ? "never" : index < 2 ? "always" : "shows")"
                    segment = "\(index == 0 ? "1m" : "none")"
                    template = "{station} \(round) %H-%M-%S"
                    pure = true

                    """
                for number in DaemonBooks.shows[index].indices where records {
                    let window = window(of: station, number)
                    let start = CivilTime(window.lowerBound, utcOffset: 0).rfc3339
                    text += """
                        [[station.show]]
                        id = "\(station)\(number)"
                        name = "\(station)\(number)"
                        days = ["\(start.prefix(10))"]
                        start = "\(start.dropFirst(11).prefix(8))"
                        length = "\(Int((window.upperBound - window.lowerBound).inSeconds))s"
                        zone = "UTC"
                        template = "{station} {show} \(round) %H-%M-%S"

                        """
                }
            }
            try folder.write("config.toml", text)
        }

        /// When a show is on: whole seconds.
        func window(of station: String, _ number: Int) -> Range<WallInstant> {
            let share = DaemonBooks.shows[DaemonBooks.stations.firstIndex(of: station) ?? 0][number]
            let second = began.nanoseconds / 1_000_000_000
            let times = [share.lowerBound, share.upperBound].map { second + Int64($0 * length) }
            return WallInstant(
                nanoseconds: times[0] * 1_000_000_000)..<WallInstant(
                    nanoseconds: times[1] * 1_000_000_000)
        }
    }

    // MARK: Judging

    /// What the daemon's commands say, and what the files hold.
    private final class Books: CustomStringConvertible {
        private let folder: TemporaryFolder
        private let programme: Broadcast
        private let checker: FrameChecker
        private let onAirSince: [String: WallInstant]
        private let absences: [String: [LiveScript.Absence]]
        private let down: [Range<WallInstant>]
        private(set) var description = ""

        init(
            _ folder: TemporaryFolder, _ programme: Broadcast, _ onAirSince: [String: WallInstant],
            _ absences: [String: [LiveScript.Absence]], _ down: [Range<WallInstant>]
        ) {
            (self.folder, self.programme, self.onAirSince) = (folder, programme, onAirSince)
            (self.absences, self.down) = (absences, down)
            checker = FrameChecker(programme)
        }

        func complaints(_ setup: Setup, until end: WallInstant) throws -> [String] {
            let listed = try ask(["recordings", "list", "--limit", "1000", "--json"])["recordings"]?.arrayValue ?? []
            var complaints: [String] = []
            var booked: [String: [BookedRecording]] = [:]
            var (files, frames, gaps) = (0, Int64(0), 0)
            for recording in listed {
                guard let found = try book(recording) else {
                    complaints.append("\(recording["id"] ?? .null) is not described")
                    continue
                }
                files += found.files.count
                frames += found.frames
                gaps += found.files.reduce(0) { $0 + $1.sidecar.gaps.count }
                let key = "\(recording["station"]?.stringValue ?? "") \(recording["show"]?.stringValue ?? "")"
                booked[key, default: []].append(found)
            }
            for (key, recordings) in booked.sorted(by: { $0.key < $1.key }) {
                guard let judge = judge(of: String(key.prefix { $0 != " " })) else { continue }
                complaints += judge.complaints(about: recordings).map { "\(key) \($0)" }
            }
            for station in DaemonBooks.stations.prefix(2) {
                let span = setup.began..<end - .seconds(5)
                let lost = judge(of: station)?.unexplained(
                    in: span, from: booked["\(station) "] ?? [], away: away(station, setup.began))
                complaints += (lost ?? []).map { "\(station) \($0)" }
            }
            let verified = try run(["recordings", "verify", "--all"])
            if !verified.succeeded { complaints.append("verify --all: \(verified.text)") }
            complaints += try shows(setup, booked)
            description += "\(listed.count) recordings with \(files) files, \(frames) frames and \(gaps) gaps"
            return complaints
        }

        private func judge(of station: String) -> BooksJudge? {
            onAirSince[station].map { BooksJudge(programme, checker, onAirSince: $0) }
        }

        /// When audio of a station may be lost: while it is away or no daemon runs.
        private func away(_ station: String, _ began: WallInstant) -> [Range<WallInstant>] {
            let start = (onAirSince[station] ?? began) + .seconds(40)
            return [began..<began] + down + (absences[station] ?? []).map { start + $0.from..<start + $0.to }
        }

        /// Compares the verdict and the export of each show with the frames.
        private func shows(_ setup: Setup, _ booked: [String: [BookedRecording]]) throws -> [String] {
            let told = try (ask(["recordings", "--shows", "--json"])["shows"]?.arrayValue ?? [])
                .compactMap(BookedShow.init(json:))
            var complaints: [String] = []
            for (index, station) in DaemonBooks.stations.enumerated() {
                for number in DaemonBooks.shows[index].indices {
                    let id = "\(station)\(number)"
                    let found = told.filter { $0.id == id && $0.station == station }
                    guard let show = found.first, found.count == 1, let judge = judge(of: station) else {
                        complaints.append("\(id) was judged \(found.count) times")
                        continue
                    }
                    description += "\(id) \(show.result), "
                    let recordings = booked["\(station) \(id)"] ?? []
                    let flaws =
                        judge.complaints(about: show, from: recordings, down: down)
                        + judge.unexplained(in: show.window, from: recordings, away: away(station, setup.began))
                        + (recordings.isEmpty ? [] : try export(show, recordings, judge))
                    complaints += flaws.map { "\(id): \($0)" }
                }
            }
            return complaints
        }

        private func export(
            _ show: BookedShow, _ recordings: [BookedRecording], _ judge: BooksJudge
        ) throws -> [String] {
            let date = String(CivilTime(show.window.lowerBound, utcOffset: 0).rfc3339.prefix(10))
            let name = "\(show.id).mp3"
            let outcome = try run(
                ["recordings", "export", "--show", show.id, "--date", date, "--output", folder.file(name)])
            guard outcome.succeeded else { return ["export: \(outcome.text)"] }
            return judge.complaints(aboutExport: try folder.read(name), of: recordings)
        }

        private func book(_ recording: JSONValue) throws -> BookedRecording? {
            guard let id = recording["id"]?.stringValue, let began = Self.time(recording["began"]),
                let ended = Self.time(recording["ended"]), let seconds = recording["seconds"]?.doubleValue,
                let frames = recording["frames"]?.integerValue
            else { return nil }
            let detail = try ask(["recordings", "show", id, "--json"])
            let files = try (detail["files"]?.arrayValue ?? []).compactMap { file -> BookedRecording.File? in
                guard let path = file["path"]?.stringValue else { return nil }
                let whole = folder.file("recordings/\(path)")
                guard path.hasSuffix(".mp3"),
                    let sidecar = Sidecar(parsing: try bytes(ofFile: "\(whole.dropLast(3))json"))
                else { return nil }
                return .init(sidecar, audio: try bytes(ofFile: whole))
            }
            return BookedRecording(
                id: id, began: began, ended: ended, seconds: seconds, frames: frames,
                continues: recording["continues"]?.stringValue, files: files, checker)
        }

        private static func time(_ value: JSONValue?) -> WallInstant? {
            value?.stringValue.flatMap(CivilTime.init(rfc3339:))?.instant
        }

        private func run(_ arguments: [String]) throws -> (succeeded: Bool, output: [UInt8], text: String) {
            let process = try ChildProcess(aircheckBinary(), arguments + ["--socket", folder.file("socket")])
            let outcome = try process.wait(within: .seconds(60))
            let output = Array(outcome.standardOutput)
            return (outcome.succeeded, output, String(decoding: output, as: UTF8.self) + outcome.standardError)
        }

        private func ask(_ arguments: [String]) throws -> JSONValue {
            let answer = try run(arguments)
            try Harm.unless(answer.succeeded, "\(arguments) failed: \(answer.text)")
            return try JSONValue(parsing: answer.output, limit: 64 << 20)
        }
    }
}
