// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Storage
import TestSupport
import TestTools

/// Checks a daemon that records four stations and is killed fifty times at random instants. Each kill costs at most one
/// second of each station, every file is playable and is completed within two seconds, and the catalog agrees with the
/// disk.
struct DaemonKills: SoakCase {
    let name = "daemon-kills"
    let hazard = "D1"

    private static let kills = 50
    private static let stations = ["a", "b", "c", "d"]
    private static let shape = MPEGShape(128)
    private static let frame = 1152.0 / Double(shape.sampleRate)

    func run(_ plan: SoakPlan) throws -> String {
        var random = SplitMix64(seed: plan.seed)
        let programme = Broadcast([.music(.seconds(40 + Self.kills * 8))], Self.shape, seed: plan.seed)
        let origin = try ScriptedOrigin(LiveScript(.stream(LiveStream(programme))))
        let folder = try TemporaryFolder("aircheck-soak")
        let port = try Loopback.freePort()
        try folder.write("config.toml", configuration(origin, port))
        // The number of frames that had aired at each kill.
        var aired: [Int] = []
        var slowest = 0.0
        for number in 0..<Self.kills {
            let began = ContinuousClock.now
            let daemon = try DaemonTalk.serve(in: folder)
            if number > 0 { slowest = max(slowest, try completion(daemon, since: began)) }
            // A station's first file is begun only once the air time of its first frame is known.
            guard waitUntil(.seconds(30), { daemon.errorSoFar.ranges(of: "recording to").count == Self.stations.count })
            else { throw Harm("not all stations are recorded:\n\(daemon.errorSoFar)") }
            let until = origin.programmeTime() + .milliseconds(Int64.random(in: 0...4_000, using: &random))
            _ = waitUntil(.seconds(10)) { origin.programmeTime() >= until }
            aired.append(programme.framesAired(at: origin.programmeTime()))
            daemon.kill()
            _ = try daemon.wait(within: .seconds(20))
        }
        let began = ContinuousClock.now
        let daemon = try DaemonTalk.serve(in: folder)
        slowest = max(slowest, try completion(daemon, since: began))
        try Harm.unless(slowest <= 2, "files left by the kill were completed after \(slowest) s")
        let listed = try list(folder)
        daemon.terminate()
        try Harm.unless(try daemon.wait(within: .seconds(30)).succeeded, "the end failed:\n\(daemon.errorSoFar)")
        let worst = try check(folder, FrameChecker(programme), aired)
        try compare(listed, folder)
        return
            "\(Self.kills) kills of \(Self.stations.count) stations: at most \((worst * 100).rounded() / 100) s lost,"
            + " completed after \((slowest * 100).rounded() / 100) s at most,"
            + " \(listed.count) recordings in the catalog as on the disk"
    }

    /// The time, in seconds, until the daemon has completed all files that an earlier run had left.
    private func completion(_ daemon: ChildProcess, since began: ContinuousClock.Instant) throws -> Double {
        let isDone = waitUntil(.seconds(60)) {
            daemon.errorSoFar.ranges(of: "earlier run had left").count >= Self.stations.count
        }
        try Harm.unless(isDone, "not all files left by the kill are completed:\n\(daemon.errorSoFar)")
        return (ContinuousClock.now - began).inSeconds
    }

    private func configuration(_ origin: ScriptedOrigin, _ port: Int) -> String {
        "[server]\nlisten = [\"127.0.0.1:\(port)\"]\n"
            + Self.stations.map { id in
                DaemonTalk.station(id, at: origin.url("/\(id)")) + "relay = false\n"
            }.joined()
    }

    /// The recordings that the daemon's catalog lists as interrupted.
    private func list(_ folder: TemporaryFolder) throws -> [JSONValue] {
        func ask(_ arguments: [String]) throws -> JSONValue? {
            let outcome = try ChildProcess(
                aircheckBinary(), ["recordings"] + arguments + ["--socket", folder.file("socket")]
            ).wait(within: .seconds(60))
            guard outcome.succeeded else { throw Harm("\(arguments): \(outcome.standardError)") }
            return try? JSONValue(parsing: outcome.standardOutput, limit: 64 << 20)
        }
        let all = try ask(["list", "--json", "--limit", "1000"])?["recordings"]?.arrayValue ?? []
        return all.filter { $0["state"]?.stringValue == "interrupted" }
    }

    /// Checks all recordings. Returns the longest section that was lost at a kill, in seconds.
    private func check(_ folder: TemporaryFolder, _ checker: FrameChecker, _ aired: [Int]) throws -> Double {
        var worst = 0.0
        for id in Self.stations {
            let files = folder.names(in: "recordings").filter { name in
                name.hasPrefix("\(id) ") && !Companion.allCases.contains { name.hasSuffix(".\($0.rawValue)") }
            }
            try Harm.unless(files.count == Self.kills + 1 && files.allSatisfy { $0.hasSuffix(".mp3") }, "\(files)")
            for (file, aired) in zip(files, aired) {
                let frames = checker.check([try folder.read("recordings/\(file)")])
                try Harm.unless(frames.isExact, "\(file): \(frames)")
                let sidecar = try JSONValue(
                    parsing: folder.read("recordings/\(file.dropLast(3))json"), limit: 8 << 20)
                let noted = sidecar["frames"]?.integerValue
                try Harm.unless(
                    noted == Int64(frames.places.count),
                    "\(file) has \(frames.places.count) frames, and its sidecar says \(noted ?? -1)")
                worst = max(worst, Double(aired - (frames.last ?? 0) - 1) * Self.frame)
            }
        }
        // A frame that has just aired may not have been sent yet.
        try Harm.unless(worst <= 1 + Self.frame, "\(worst) s were lost")
        return worst
    }

    private func compare(_ listed: [JSONValue], _ folder: TemporaryFolder) throws {
        try Harm.unless(listed.count == Self.kills * Self.stations.count, "\(listed.count) recordings are listed")
        var sidecars: [String: JSONValue] = [:]
        for name in folder.names(in: "recordings") where name.hasSuffix(".json") {
            let sidecar = try JSONValue(parsing: folder.read("recordings/\(name)"), limit: 8 << 20)
            sidecars[sidecar["recording"]?.stringValue ?? ""] = sidecar
        }
        for recording in listed {
            let id = recording["id"]?.stringValue ?? ""
            let isSame =
                sidecars[id]?["frames"] == recording["frames"]
                && sidecars[id]?["state"]?.stringValue == recording["state"]?.stringValue
            try Harm.unless(isSame, "\(id) is \(recording) in the catalog, and \(sidecars[id] ?? .null) on the disk")
        }
    }
}
