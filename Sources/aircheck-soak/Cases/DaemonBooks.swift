// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import RadioFormats
import TestSupport
import TestTools

/// Checks the books of a daemon with four stations and six shows after all kinds of troubles in random order: lists,
/// links, gaps, verdicts, checksums and exports agree with the frames that the stations sent.
struct DaemonBooks: SoakCase {
    let name = "daemon-books"
    let hazard = "I9"

    private static let stations = ["a", "b", "c", "d"]
    /// The spans of the shows of each station, as parts of the run.
    private static let shows = [[0.1..<0.3], [0.2..<0.7], [0.1..<0.4, 0.5..<0.8], [0.3..<0.6, 0.45..<0.9]]

    func run(_ plan: SoakPlan) throws -> String {
        let programme = Broadcast([.music(.seconds(plan.minutes * 90 + 300))], MPEGShape(32), seed: plan.seed)
        var random = SplitMix64(seed: plan.seed)
        let scripts = Self.stations.map { _ in
            LiveScript.troubled(programme, until: Double(plan.minutes * 80), using: &random)
        }
        let origins = try scripts.map { try ScriptedOrigin($0) }
        let folder = try TemporaryFolder("aircheck-soak")
        let urls = Dictionary(uniqueKeysWithValues: zip(Self.stations, origins.map { $0.url("/live") }))
        let daemon = try Daemon(Setup(plan, folder, urls, port: try Loopback.freePort()))
        let began = SoakClock.seconds()
        var (counts, log, round) = ([BooksTrouble: Int](), "", 0)
        var down = [daemon.setup.began..<daemon.setup.began]
        while SoakClock.seconds() - began < plan.minutes * 60 {
            round += 1
            try daemon.pause(.milliseconds(Int64.random(in: 2_000...8_000, using: &random)))
            guard let trouble = BooksTrouble.allCases.randomElement(using: &random),
                try trouble.strike(folder, round, using: &random)
            else { continue }
            counts[trouble, default: 0] += 1
            log += "\(SoakClock.wall) \(trouble)\n"
            if let span = try daemon.suffer(trouble, round, using: &random) { down.append(span) }
            if trouble == .lostRunningCatalog { try daemon.noticeLostCatalog() }
        }
        try daemon.pause(.seconds(60))
        let end = SoakClock.wall
        // At the end nothing is recorded, so that no recording is under way when the books are read.
        try daemon.edit(round: round, records: false)
        try daemon.pause(.seconds(15))
        let checker = FrameChecker(programme)
        let stations = zip(Self.stations, zip(origins, scripts)).enumerated().map { index, station in
            let (id, (origin, script)) = station
            let start = SoakClock.wall - (MonotonicInstant.now - origin.began)
            return BookedStation(
                id, BooksJudge(programme, checker, onAirSince: start - .seconds(40)),
                away: script.away(from: start),
                recorded: index < 2 ? daemon.setup.began..<end - .seconds(5) : nil,
                shows: Self.shows[index].indices.map { "\(id)\($0)" })
        }
        var (books, complaints) = try daemon.books(checker)
        complaints += books.complaints(stations, down: down) { purpose, _ in
            try books.shows.first { $0.id == purpose.show }.map(daemon.export)
        }
        try daemon.stop(for: .zero)
        try Harm.unless(round >= 6 * plan.minutes, "only \(round) troubles in \(plan.minutes) minutes")
        try Harm.unless(complaints.isEmpty, complaints.joined(separator: "\n") + "\n" + log + daemon.log)
        let told = counts.map { "\($0.value) of \($0.key)" }.sorted().joined(separator: ", ")
        let shows = books.shows.map { "\($0.id) \($0.result)" }.joined(separator: ", ")
        return "\(round) troubles (\(told)); \(shows), \(books.files) files, \(books.frames) frames, \(books.gaps) gaps"
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

    /// The program, and what its commands say.
    private final class Daemon: TroubledDaemon {
        let setup: Setup
        private(set) var log = ""
        private var process: ChildProcess

        init(_ setup: Setup) throws {
            self.setup = setup
            try setup.write(round: 0)
            process = try Self.start(in: setup.folder)
        }

        var folder: TemporaryFolder { setup.folder }
        var now: WallInstant { SoakClock.wall }

        private static func start(in folder: TemporaryFolder) throws -> ChildProcess {
            let daemon = try DaemonTalk.serve(in: folder)
            let isUp = waitUntil(.seconds(30)) { !daemon.isRunning || daemon.errorSoFar.contains("listening on") }
            try Harm.unless(isUp && daemon.isRunning, "the daemon does not run:\n\(daemon.errorSoFar)")
            return daemon
        }

        func start() throws { process = try Self.start(in: folder) }

        func pause(_ time: Duration) throws {
            let isGone = waitUntil(time) { !process.isRunning }
            try Harm.unless(!isGone, "the daemon ended:\n\(process.errorSoFar)")
        }

        func edit(round: Int) throws { try edit(round: round, records: true) }

        func edit(round: Int, records: Bool) throws {
            try setup.write(round: round, records: records)
            try DaemonTalk.ask(["reload"], socket: folder.file("socket"))
        }

        func rescan() throws { try DaemonTalk.ask(["recordings", "rescan"], socket: folder.file("socket")) }

        /// Has the daemon use its catalog, so that it finds that it is lost. The daemon rebuilds it during the pause
        /// before the next trouble: nobody can restore a sidecar that is lost before.
        func noticeLostCatalog() throws { _ = try ask(["recordings", "list", "--limit", "1", "--json"]) }

        func stop(for time: Duration) throws {
            process.terminate()
            try end(for: time)
        }

        func kill(for time: Duration) throws {
            process.kill()
            try end(for: time)
        }

        private func end(for time: Duration) throws {
            log += try process.wait(within: .seconds(30)).standardError
            _ = waitUntil(time) { false }
        }

        // MARK: Its books

        /// The books, and what their commands complain about.
        func books(_ checker: FrameChecker) throws -> (Books, complaints: [String]) {
            let listed = try ask(["recordings", "list", "--limit", "1000", "--json"])["recordings"]?.arrayValue ?? []
            var complaints: [String] = []
            var booked: [(Books.Purpose, BookedRecording)] = []
            for recording in listed {
                guard let found = try book(recording, checker) else {
                    complaints.append("\(recording["id"] ?? .null) is not described")
                    continue
                }
                let (station, show) = (recording["station"]?.stringValue, recording["show"]?.stringValue)
                booked.append((.init(station: station, show: show), found))
            }
            let shows = try ask(["recordings", "--shows", "--json"])["shows"]?.arrayValue ?? []
            let verified = try run(["recordings", "verify", "--all"])
            if !verified.succeeded { complaints.append("verify --all: \(verified.text)") }
            return (Books(booked, shows.compactMap(BookedShow.init(json:))), complaints)
        }

        /// A show as one file.
        func export(_ show: BookedShow) throws -> [UInt8] {
            let date = String(CivilTime(show.window.lowerBound, utcOffset: 0).rfc3339.prefix(10))
            let name = "\(show.id).mp3"
            let outcome = try run(
                ["recordings", "export", "--show", show.id, "--date", date, "--output", folder.file(name)])
            try Harm.unless(outcome.succeeded, outcome.text)
            return try folder.read(name)
        }

        private func book(_ recording: JSONValue, _ checker: FrameChecker) throws -> BookedRecording? {
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
