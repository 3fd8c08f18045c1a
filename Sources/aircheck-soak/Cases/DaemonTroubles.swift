// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Instants
import RadioCore
import RadioFormats
import Storage
import TestSupport
import TestTools

/// Checks a daemon with troubles of every kind in random order: connections that end or stall, kills, a full disk, a
/// disk that hangs, a stopped process, and reloads. The burst and the queue cover each of them, so every frame is in
/// the files exactly once, and no sidecar has a gap.
struct DaemonTroubles: SoakCase {
    let name = "daemon-troubles"
    let hazard = "H7"

    private enum Trouble: CaseIterable {
        case kill
        case fullDisk
        case hangingDisk
        case standstill
        case reload
    }

    private static let stations = ["a", "b", "c"]
    private static let shape = MPEGShape(64)

    func run(_ plan: SoakPlan) throws -> String {
        guard geteuid() == 0 else { return "SKIPPED: a disk that hangs, which only root can make" }
        let programme = Broadcast([.music(.seconds(plan.minutes * 60 + 300))], Self.shape, seed: plan.seed)
        let origin = try ScriptedOrigin(Self.script(programme, plan.seed))
        let disk = try MountedDisk()
        let folder = try TemporaryFolder("aircheck-soak")
        let port = try Loopback.freePort()
        try folder.write("config.toml", configuration(origin, port, disk, round: 0))
        var random = SplitMix64(seed: plan.seed)
        var counts: [Trouble: Int] = [:]
        var daemon = try start(folder)
        let began = SoakClock.seconds()
        var round = 0
        // The events in order: the daemons' logs, and the troubles.
        var log = ""
        while SoakClock.seconds() - began < plan.minutes * 60 {
            round += 1
            try pause(.milliseconds(Int64.random(in: 3_000...8_000, using: &random)), daemon)
            guard let trouble = Trouble.allCases.randomElement(using: &random) else { continue }
            counts[trouble, default: 0] += 1
            let length = Duration.milliseconds(Int64.random(in: 500...4_000, using: &random))
            log += "\(Date().formatted(.iso8601)) \(trouble) \(length)\n"
            switch trouble {
            case .kill:
                log += daemon.errorSoFar
                daemon.kill()
                _ = try daemon.wait(within: .seconds(20))
                daemon = try start(folder)
            case .fullDisk:
                try MountedDisk.fill("\(disk.path)/filler")
                try pause(length, daemon)
                unlink("\(disk.path)/filler")
            case .hangingDisk:
                try disk.freeze(true)
                try pause(length, daemon)
                try disk.freeze(false)
            case .standstill:
                daemon.signal(SIGSTOP)
                try pause(length, daemon)
                daemon.signal(SIGCONT)
            case .reload:
                try folder.write("config.toml", configuration(origin, port, disk, round: round))
                try DaemonTalk.ask(["reload"], socket: folder.file("socket"))
            }
        }
        try pause(.seconds(10), daemon)
        daemon.terminate()
        let outcome = try daemon.wait(within: .seconds(30))
        origin.stop()
        try Harm.unless(outcome.succeeded, "the end failed with \(outcome.ending):\n\(outcome.standardError)")
        let frames = try check("\(disk.path)/recordings", FrameChecker(programme), log + outcome.standardError)
        let told = counts.map { "\($0.value) of \($0.key)" }.sorted().joined(separator: ", ")
        return "\(round) troubles (\(told)), \(origin.log.accepts.count) connections, \(frames) frames, each once"
    }

    /// A stream that ends or stalls on every connection, 6 to 40 s after its beginning.
    private static func script(_ programme: Broadcast, _ seed: UInt64) -> LiveScript {
        LiveScript { visit in
            var random = SplitMix64(seed: seed &+ UInt64(visit.number))
            let time = Duration.milliseconds(Int64.random(in: 6_000...40_000, using: &random))
            let effect = [LiveFault.Effect.close, .reset, .stall].randomElement(using: &random) ?? .close
            return .stream(LiveStream(programme, burst: 64 << 10, faults: [.inFrame(after: time, effect)]))
        }
    }

    private func configuration(_ origin: ScriptedOrigin, _ port: Int, _ disk: MountedDisk, round: Int) -> String {
        let head = """
            [server]
            listen = ["127.0.0.1:\(port)"]
            [storage]
            recordings = "\(disk.path)/recordings"
            free-space = "0MB"

            """
        let guest = round.isMultiple(of: 2) ? "guest\(round)" : "guest"
        return head
            + (Self.stations + [guest]).map { DaemonTalk.station($0, at: origin.url("/\($0)")) }.joined()
    }

    private func start(_ folder: TemporaryFolder) throws -> ChildProcess {
        let daemon = try DaemonTalk.serve(in: folder)
        let isRecording = waitUntil(.seconds(30)) {
            Self.stations.allSatisfy { daemon.errorSoFar.contains("[\($0)] recording to") }
        }
        try Harm.unless(isRecording, "not all stations are recorded:\n\(daemon.errorSoFar)")
        return daemon
    }

    private func pause(_ time: Duration, _ daemon: ChildProcess) throws {
        let isGone = waitUntil(time) { !daemon.isRunning }
        try Harm.unless(!isGone, "the daemon ended:\n\(daemon.errorSoFar)")
    }

    /// Throws unless every file is complete and exact and agrees with its sidecar. Returns the number of frames.
    private func check(_ folder: String, _ checker: FrameChecker, _ log: String) throws -> Int {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        var frames = 0
        for name in names where !Companion.allCases.contains(where: { name.hasSuffix(".\($0.rawValue)") }) {
            let report = checker.check([try bytes(ofFile: "\(folder)/\(name)")])
            let sidecar = try JSONValue(parsing: bytes(ofFile: "\(folder)/\(name.dropLast(3))json"), limit: 64 << 20)
            try Harm.unless(
                name.hasSuffix(".mp3") && report.isExact
                    && sidecar["frames"]?.integerValue == Int64(report.places.count)
                    && sidecar["gaps"]?.arrayValue?.isEmpty != false,
                "\(name): \(report); its sidecar has \(sidecar["frames"] ?? .null) frames, and these gaps: "
                    + "\((sidecar["gaps"] ?? .null).text(.pretty))\n\(log)")
            frames += report.places.count
        }
        try Harm.unless(frames > 0, "nothing was recorded")
        return frames
    }
}
