// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import RadioFormats
import TestSupport
import TestTools

/// Checks the books of a daemon with four stations and six shows after restarts, kills, outages, edits and lost catalogs
/// in random order: lists, links, gaps, verdicts, checksums and exports agree with the frames that the stations sent.
struct DaemonBooks: SoakCase {
    let name = "daemon-books"
    let hazard = "I9"

    private enum Trouble: CaseIterable {
        case restart, kill, longKill, edit, lostCatalog
    }

    private static let stations = ["a", "b", "c", "d"]
    /// The spans of the shows of each station, as parts of the run.
    private static let shows = [[0.1..<0.3], [0.2..<0.7], [0.1..<0.4, 0.5..<0.8], [0.3..<0.6, 0.45..<0.9]]

    func run(_ plan: SoakPlan) throws -> String {
        let programme = Broadcast([.music(.seconds(plan.minutes * 90 + 300))], MPEGShape(32), seed: plan.seed)
        var random = SplitMix64(seed: plan.seed)
        let origins = try Dictionary(
            uniqueKeysWithValues: Self.stations.map { ($0, try ScriptedOrigin(Self.script(programme, &random, plan))) })
        let folder = try TemporaryFolder("aircheck-soak")
        let setup = Setup(plan, folder, origins.mapValues { $0.url("/live") }, port: try Loopback.freePort())
        try setup.write(round: 0)
        var daemon = try start(folder)
        let began = SoakClock.seconds()
        var (counts, log, round) = ([Trouble: Int](), "", 0)
        while SoakClock.seconds() - began < plan.minutes * 60 {
            round += 1
            try pause(.milliseconds(Int64.random(in: 2_000...8_000, using: &random)), daemon)
            guard let trouble = Trouble.allCases.randomElement(using: &random) else { continue }
            counts[trouble, default: 0] += 1
            let away = Duration.milliseconds(
                trouble == .longKill
                    ? Int64.random(in: 5_000...30_000, using: &random) : Int64.random(in: 0...4_000, using: &random))
            log += "\(SoakClock.wall) \(trouble), away for \(away)\n"
            if trouble == .edit {
                try setup.write(round: round)
                try DaemonTalk.ask(["reload"], socket: folder.file("socket"))
                continue
            }
            if trouble == .restart || trouble == .lostCatalog { daemon.terminate() } else { daemon.kill() }
            log += try daemon.wait(within: .seconds(30)).standardError
            if trouble == .lostCatalog {
                for end in ["", "-wal", "-shm"] { unlink(folder.file("state/catalog.sqlite\(end)")) }
            }
            _ = waitUntil(away) { false }
            daemon = try start(folder)
        }
        try pause(.seconds(60), daemon)
        // At the end nothing is recorded, so that no recording is under way when the books are read.
        try setup.write(round: round, records: false)
        try DaemonTalk.ask(["reload"], socket: folder.file("socket"))
        try pause(.seconds(15), daemon)
        let books = Books(
            folder, programme, origins.mapValues { SoakClock.wall - (MonotonicInstant.now - $0.began) - .seconds(40) })
        let complaints = try books.complaints(setup)
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
        private let onAirSince: [String: WallInstant]
        private(set) var description = ""

        init(_ folder: TemporaryFolder, _ programme: Broadcast, _ onAirSince: [String: WallInstant]) {
            (self.folder, self.programme, self.onAirSince) = (folder, programme, onAirSince)
        }

        func complaints(_ setup: Setup) throws -> [String] {
            let listed = try ask(["recordings", "list", "--limit", "1000", "--json"])["recordings"]?.arrayValue ?? []
            var complaints: [String] = []
            var booked: [String: [BookedRecording]] = [:]
            var files = 0
            for recording in listed {
                guard let found = try book(recording) else {
                    complaints.append("\(recording["id"] ?? .null) is not described")
                    continue
                }
                files += found.files.count
                let key = "\(recording["station"]?.stringValue ?? "") \(recording["show"]?.stringValue ?? "")"
                booked[key, default: []].append(found)
                let verified = try run(["recordings", "verify", found.id])
                if !verified.succeeded { complaints.append("verify \(found.id): \(verified.text)") }
            }
            for (key, recordings) in booked.sorted(by: { $0.key < $1.key }) {
                let station = String(key.prefix { $0 != " " })
                guard let start = onAirSince[station] else { continue }
                let judge = BooksJudge(programme, onAirSince: start)
                complaints += judge.complaints(about: recordings).map { "\(key) \($0)" }
            }
            complaints += try shows(setup, booked)
            description = "\(listed.count) recordings with \(files) files agree with the frames"
            return complaints
        }

        /// Compares the verdict and the export of each show with the frames.
        private func shows(_ setup: Setup, _ booked: [String: [BookedRecording]]) throws -> [String] {
            let told = try ask(["recordings", "--shows", "--json"])["shows"]?.arrayValue ?? []
            var complaints: [String] = []
            for (index, station) in DaemonBooks.stations.enumerated() {
                for number in DaemonBooks.shows[index].indices {
                    let show = "\(station)\(number)"
                    let window = setup.window(of: station, number)
                    let recordings = booked["\(station) \(show)"] ?? []
                    guard let start = onAirSince[station] else { continue }
                    let missing = BooksJudge(programme, onAirSince: start).missing(in: window, from: recordings)
                    let verdicts = told.filter { $0["show"]?.stringValue == show }
                    let said = verdicts.first?["missing_seconds"]?.doubleValue ?? -1
                    if verdicts.count != 1 || abs(said - missing) > 1.5 {
                        complaints.append("\(show) lacks \(missing) s, and its verdicts are \(verdicts)")
                    }
                    if !recordings.isEmpty { complaints += try export(show, window, recordings) }
                }
            }
            return complaints
        }

        private func export(
            _ show: String, _ window: Range<WallInstant>, _ recordings: [BookedRecording]
        ) throws -> [String] {
            let date = String(CivilTime(window.lowerBound, utcOffset: 0).rfc3339.prefix(10))
            let name = "\(show).mp3"
            let outcome = try run(
                ["recordings", "export", "--show", show, "--date", date, "--output", folder.file(name)])
            guard outcome.succeeded else { return ["export \(show): \(outcome.text)"] }
            let checker = FrameChecker(programme)
            let report = checker.check(try folder.read(name))
            let held = Set(recordings.flatMap { checker.check($0.files.map(\.audio)).places.compactMap(\.self) })
            // An MP3 of which a part is missing begins with silent frames; a whole one does not.
            guard report.duplicated.isEmpty, report.disorders == 0, Set(report.places.compactMap(\.self)) == held else {
                return ["\(show) was exported as \(report), instead of \(held.count) frames"]
            }
            return []
        }

        private func book(_ recording: JSONValue) throws -> BookedRecording? {
            guard let id = recording["id"]?.stringValue, let began = Self.time(recording["began"]),
                let ended = Self.time(recording["ended"])
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
                id: id, began: began, ended: ended, continues: recording["continues"]?.stringValue, files: files)
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
