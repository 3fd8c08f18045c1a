// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import TestTools

/// Records and relays many stations of one server in real time with one process, and compares the cost with that of one
/// process per station.
///
/// CPU time is measured once startup and bursts are over; memory is measured at the end.
struct ManyStations {
    let stations: Int
    let seconds: Int

    /// The seconds allowed for startup and bursts.
    private static let settling = 20
    private static let shape = MPEGShape(128)

    private struct Reading {
        /// The CPU time per station, as a share of one core.
        var load: Double
        /// The private dirty memory per station, in bytes.
        var dirty: Double
    }

    func run() throws -> [Figure] {
        note("stations: \(stations) in one process for \(seconds) s, then in as many processes")
        let programme = Broadcast([.music(.seconds(40 + 2 * (seconds + 90)))], Self.shape)
        let origin = try ScriptedOrigin(LiveScript(.stream(LiveStream(programme))))
        let (together, broken) = try runTogether(origin, programme)
        note(
            "stations: together \(decimal(together.load * 100)) % of a core and "
                + "\(decimal(together.dirty / 1_048_576)) MiB each, \(broken) recordings with a lost frame")
        let apart = try runApart(origin)
        func row(_ name: String, _ ours: Double, _ peer: Double, _ unit: String) -> Figure {
            Figure(
                name: "\(stations) stations: \(name) each", ours: "\(decimal(ours)) \(unit)",
                peer: "\(stations) processes \(decimal(peer)) \(unit)", value: ours / peer, goal: .atMost(1))
        }
        return [
            Figure(
                name: "\(stations) stations: recordings with a lost frame", ours: "\(broken)", peer: "",
                value: Double(broken), goal: .atMost(0)),
            row("CPU of a core,", together.load * 100, apart.load * 100, "%"),
            row("dirty private memory,", together.dirty / 1_048_576, apart.dirty / 1_048_576, "MiB"),
        ]
    }

    private func runTogether(_ origin: ScriptedOrigin, _ programme: Broadcast) throws -> (Reading, broken: Int) {
        let folder = try TemporaryFolder("aircheck-stations")
        let names = (0..<stations).map { "s\($0)" }
        let port = try Loopback.freePort()
        let child = try ChildProcess(
            aircheckBinary(),
            ["record"] + names.flatMap { ["--station", "\($0)=\(origin.url("/\($0)"))"] }
                + ["--relay", "--listen", "127.0.0.1:\(port)", "--output", folder.path, "--name", "{station}"]
                + ["--segment", "none", "--pure", "--json"])
        let reading = try measure([child], heardAt: names.map { "http://127.0.0.1:\(port)/\($0)" })
        child.terminate()
        let outcome = try child.wait(within: .seconds(60))
        guard outcome.succeeded else { throw SetupError("aircheck did not end well:\n\(child.errorSoFar)") }
        let report = try JSONValue(parsing: outcome.standardOutput, limit: 64 << 20)
        let checker = FrameChecker(programme)
        var broken = 0
        for name in names {
            let frames = checker.check([try bytes(ofFile: folder.file("\(name).mp3"))])
            let isLong = Double(frames.places.count) * 1152 / Double(Self.shape.sampleRate) >= Double(seconds)
            if !frames.isExact || !isLong { broken += 1 }
        }
        let gaps = report["stations"]?.arrayValue?.count { $0["gaps"]?.arrayValue?.isEmpty == false } ?? stations
        return (reading, max(broken, gaps))
    }

    private func runApart(_ origin: ScriptedOrigin) throws -> Reading {
        let folder = try TemporaryFolder("aircheck-stations")
        let ports = try (0..<stations).map { _ in try Loopback.freePort() }
        let children = try ports.enumerated().map { number, port in
            try ChildProcess(
                aircheckBinary(),
                ["record", origin.url("/s\(number)"), "--relay", "--listen", "127.0.0.1:\(port)"]
                    + ["--output", folder.path, "--name", "s\(number)", "--mount", "/s\(number)"]
                    + ["--segment", "none", "--pure"])
        }
        let reading = try measure(children, heardAt: ports.enumerated().map { "http://127.0.0.1:\($1)/s\($0)" })
        for child in children { child.terminate() }
        for child in children { _ = try child.wait(within: .seconds(60)) }
        return reading
    }

    /// Measures all processes together and returns the cost per station. Each station has one listener.
    private func measure(_ children: [ChildProcess], heardAt urls: [String]) throws -> Reading {
        let meters = children.map { ProcessMeter(pid: $0.pid) }
        func processorTime() throws -> Int64 { try meters.reduce(0) { $0 + (try $1.processorTime()) } }
        try wait(Self.settling / 2, children)
        let listeners = try ChildProcess(
            .curl,
            ["--silent", "--no-buffer", "--fail", "--parallel", "--parallel-immediate"]
                + ["--parallel-max", "\(urls.count)"] + urls.flatMap { ["--output", "/dev/null", $0] })
        defer { listeners.terminate() }
        try wait(Self.settling / 2, children + [listeners])
        let (start, before) = (ContinuousClock.now, try processorTime())
        try wait(seconds - Self.settling, children + [listeners])
        let used = Duration.nanoseconds(try processorTime() - before)
        let dirty = try meters.reduce(0) { $0 + (try $1.memory().dirty) }
        return Reading(
            load: used / start.duration(to: .now) / Double(stations), dirty: Double(dirty) / Double(stations))
    }

    /// Waits; throws if a child process ends in the meantime.
    private func wait(_ seconds: Int, _ children: [ChildProcess]) throws {
        _ = waitUntil(.seconds(seconds)) { children.contains { !$0.isRunning } }
        guard let ended = children.first(where: { !$0.isRunning }) else { return }
        throw SetupError("a recorder ended early:\n\(ended.errorSoFar)")
    }
}
