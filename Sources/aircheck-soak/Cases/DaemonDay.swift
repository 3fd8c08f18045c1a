// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import RadioFormats
import TestSupport
import TestTools

/// Checks an ordinary day of a daemon: five stations, each with faults of its own, listeners who come and go, reloads,
/// queries, and retention. Memory and descriptors stay flat, and every frame is kept.
struct DaemonDay: SoakCase {
    let name = "daemon-day"
    let hazard = "H8"

    private static let shape = MPEGShape(64)
    /// The time between two faults of a connection.
    private static let faultInterval = Duration.seconds(600)
    private static let listeners = 100
    /// The IDs of the stations that may lose no frame.
    private static let exact = ["cut", "stall", "random"]

    func run(_ plan: SoakPlan) throws -> String {
        let seconds = plan.minutes * 60
        let programme = Broadcast([.music(.seconds(seconds + 240))], Self.shape, seed: plan.seed)
        var random = SplitMix64(seed: plan.seed)
        let hits = Dictionary(
            stride(from: 400_000, to: programme.bytes.count, by: 8_000 * 600).map {
                ($0 + Int.random(in: 0..<100_000, using: &random), UInt8.random(in: 1...255, using: &random))
            }
        ) { first, _ in first }
        let origin = try ScriptedOrigin(script(programme, programme.damaged(hits), plan.seed))
        let folder = try TemporaryFolder("aircheck-soak")
        let port = try Loopback.freePort()
        try folder.write("config.toml", configuration(origin, port, round: 0))
        let daemon = try DaemonTalk.serve(in: folder)
        guard waitUntil(.seconds(60), { daemon.errorSoFar.ranges(of: "recording to").count >= 5 }) else {
            throw Harm("not all stations are recorded:\n\(daemon.errorSoFar)")
        }
        let samples = try live(daemon, folder, port, seconds: seconds, origin, FrameChecker(programme))
        daemon.terminate()
        let outcome = try daemon.wait(within: .seconds(30))
        origin.stop()
        try Harm.unless(outcome.succeeded, "the end failed with \(outcome.ending):\n\(outcome.standardError)")
        let frames = try check(folder, FrameChecker(programme), hits: hits.count)
        return "\(samples.count) rounds, \(frames) frames recorded, "
            + (try FlatFigures(samples, seconds: seconds)).description
    }

    /// The script of the origin, which has one path for each station.
    private func script(_ programme: Broadcast, _ damaged: Broadcast, _ seed: UInt64) -> LiveScript {
        LiveScript { visit in
            var faults: [LiveFault] = []
            switch visit.target {
            case "/cut": faults = [.inFrame(after: Self.faultInterval, .reset)]
            case "/stall": faults = [.inFrame(after: Self.faultInterval, .stall)]
            case "/random":
                var random = SplitMix64(seed: seed &+ UInt64(visit.number))
                let effects: [LiveFault.Effect] = [.close, .reset, .stall]
                faults = [
                    .inMetadata(
                        after: .seconds(Int64.random(in: 20...120, using: &random)),
                        effects[Int.random(in: 0..<3, using: &random)])
                ]
            default: break
            }
            let audio = visit.target == "/damaged" ? damaged : programme
            return .stream(LiveStream(audio, interval: 16_000, faults: faults))
        }
    }

    private func configuration(_ origin: ScriptedOrigin, _ port: Int, round: Int) -> String {
        func station(_ id: String, _ more: String) -> String {
            """
            [[station]]
            id = "\(id)"
            name = "\(id)"
            url = "\(origin.url("/\(id)"))"
            record = "always"
            pure = true
            template = "{station}/%s"
            \(more)

            """
        }
        let stations =
            Self.exact.map { station($0, "segment = \"none\"") } + [
                station("damaged", "segment = \"none\""), station("kept", "segment = \"1m\"\nkeep-last = 3"),
                station("guest\(round)", "segment = \"none\"\nrelay = \(round.isMultiple(of: 2))"),
            ]
        return "[server]\nlisten = [\"127.0.0.1:\(port)\"]\n" + stations.joined()
    }

    /// Runs rounds of one minute. In the first half of a round there are listeners; then come a reload, queries, and a
    /// sample of the process.
    private func live(
        _ daemon: ChildProcess, _ folder: TemporaryFolder, _ port: Int, seconds: Int, _ origin: ScriptedOrigin,
        _ checker: FrameChecker
    ) throws -> [FlatFigures.Sample] {
        let began = SoakClock.seconds()
        var samples: [FlatFigures.Sample] = []
        while SoakClock.seconds() - began < seconds {
            let round = samples.count + 1
            let roundBegan = SoakClock.seconds()
            let station = Self.exact[round % Self.exact.count]
            let audience = try Audience(Self.listeners, port: port, path: "/\(station)")
            try pause(until: roundBegan + 30, daemon)
            for member in try audience.leave() {
                let heard = checker.check(cutOff: member.body)
                try Harm.unless(heard.isExact && heard.places.count > 900, "a listener of \(station) received \(heard)")
            }
            try folder.write("config.toml", configuration(origin, port, round: round))
            for question in [["reload"], ["status", "--json"], ["schedule"], ["recordings"]] {
                try DaemonTalk.ask(question, socket: folder.file("socket"))
            }
            try pause(until: roundBegan + 55, daemon)
            samples.append(
                try FlatFigures.Sample(
                    of: daemon.pid, catalog: folder.file("state/catalog.sqlite"),
                    lag: try DaemonTalk.loopLag(port: port)))
            try pause(until: roundBegan + 60, daemon)
        }
        return samples
    }

    private func pause(until second: Int64, _ daemon: ChildProcess) throws {
        let rest = max(1, second - SoakClock.seconds())
        let ended = try? daemon.wait(within: .seconds(rest))
        try Harm.unless(ended == nil, "the daemon ended:\n\(daemon.errorSoFar)")
    }

    /// The gaps in the sidecars of a station.
    private func gaps(of id: String, in folder: TemporaryFolder) throws -> [JSONValue] {
        try folder.names(in: "recordings/\(id)").filter { $0.hasSuffix(".json") }.flatMap {
            try JSONValue(parsing: folder.read("recordings/\(id)/\($0)"), limit: 64 << 20)["gaps"]?.arrayValue ?? []
        }
    }

    /// Checks the recordings of all stations. Returns the number of frames recorded from the exact stations.
    private func check(_ folder: TemporaryFolder, _ checker: FrameChecker, hits: Int) throws -> Int {
        func report(_ id: String) throws -> FrameReport {
            let names = folder.names(in: "recordings/\(id)").filter { $0.hasSuffix(".mp3") }
            return checker.check(try names.map { try folder.read("recordings/\(id)/\($0)") })
        }
        var frames = 0
        for id in Self.exact {
            let exact = try report(id)
            try Harm.unless(exact.isExact, "\(id): \(exact)")
            try Harm.unless(try gaps(of: id, in: folder).isEmpty, "\(id): gaps where nothing is lost")
            frames += exact.places.count
        }
        let damaged = try report("damaged")
        try Harm.unless(
            damaged.lost.count <= 2 * hits && damaged.duplicated.isEmpty && damaged.disorders == 0,
            "damaged: \(damaged) after \(hits) damaged bytes")
        let kept = try report("kept")
        let files = folder.names(in: "recordings/kept").count { $0.hasSuffix(".mp3") }
        try Harm.unless(kept.isExact && files <= 10, "kept: \(files) files with \(kept)")
        return frames
    }
}
