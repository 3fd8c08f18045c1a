// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import TestSupport
import TestTools

/// Checks a daemon that loads a thousand configurations, one after the other. A station that is the same in all of them
/// loses no frame, neither on the disk nor at its listener. The stations that come and go leave nothing behind.
struct DaemonReloads: SoakCase {
    let name = "daemon-reloads"
    let hazard = "H2"

    private static let reloads = 1_000
    /// The IDs of the stations that differ between configurations.
    private static let guests = ["a", "b", "c", "d"]
    private static let shape = MPEGShape(64)
    private static let pace = Duration.milliseconds(100)

    func run(_ plan: SoakPlan) throws -> String {
        var random = SplitMix64(seed: plan.seed)
        let programme = Broadcast([.music(.seconds(900))], Self.shape, seed: plan.seed)
        let origin = try ScriptedOrigin(LiveScript(.stream(LiveStream(programme))))
        let folder = try TemporaryFolder("aircheck-soak")
        let port = try Loopback.freePort()
        try folder.write("config.toml", configuration(origin, port, &random))
        let daemon = try DaemonTalk.serve(in: folder)
        guard waitUntil(.seconds(30), { daemon.errorSoFar.contains("recording to") }) else {
            throw Harm("nothing is recorded:\n\(daemon.errorSoFar)")
        }
        let audience = try Audience(1, port: port, path: "/stays")
        let began = SoakClock.seconds()
        var samples: [FlatFigures.Sample] = []
        for number in 1...Self.reloads {
            let next = ContinuousClock.now + Self.pace
            try folder.write("config.toml", configuration(origin, port, &random))
            try DaemonTalk.ask(["reload"], socket: folder.file("socket"))
            if number.isMultiple(of: 10) {
                samples.append(
                    try FlatFigures.Sample(
                        of: daemon.pid, catalog: folder.file("state/catalog.sqlite"),
                        lag: try DaemonTalk.loopLag(port: port)))
            }
            _ = waitUntil(Self.pace) { ContinuousClock.now >= next }
        }
        let seconds = Int(SoakClock.seconds() - began)
        let heard = FrameChecker(programme).check(cutOff: try audience.leave()[0].body)
        daemon.terminate()
        let outcome = try daemon.wait(within: .seconds(30))
        origin.stop()
        try Harm.unless(outcome.succeeded, "the end failed with \(outcome.ending):\n\(outcome.standardError)")
        let recorded = FrameChecker(programme).check([try folder.read("recordings/stays.mp3")])
        let least = seconds * Self.shape.sampleRate / 1_152
        for report in [heard, recorded] {
            try Harm.unless(report.isExact && report.places.count >= least, "\(report) in \(seconds) s")
        }
        return "\(Self.reloads) reloads in \(seconds) s, no frame lost, "
            + (try FlatFigures(samples, seconds: seconds)).description
    }

    /// A configuration with one station that never changes. The other stations differ in whether they exist, and in how
    /// they are recorded, relayed and kept.
    private func configuration(_ origin: ScriptedOrigin, _ port: Int, _ random: inout SplitMix64) -> String {
        func station(_ id: String, _ lines: [String]) -> String {
            let all = ["[[station]]", "id = \"\(id)\"", "url = \"\(origin.url("/\(id)"))\""] + lines
            return all.joined(separator: "\n") + "\n"
        }
        let kept = [
            "name = \"stays\"", "record = \"always\"", "segment = \"none\"", "template = \"{station}\"", "pure = true",
        ]
        var stations = [station("stays", kept)]
        for guest in Self.guests where Bool.random(using: &random) {
            let choices = [
                ["name = \"\(guest)\"", "name = \"\(guest) two\""],
                ["record = \"always\"", "record = \"always\"\nrelay = false", "record = \"never\""],
                ["segment = \"title\"", "segment = \"1h\""], ["keep-last = 2", "keep-days = 1"],
            ]
            stations.append(station(guest, choices.map { $0[Int.random(in: $0.indices, using: &random)] }))
        }
        stations.shuffle(using: &random)
        return "[server]\nlisten = [\"127.0.0.1:\(port)\"]\n[log]\nlevel = \"info\"\n" + stations.joined()
    }
}
