// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import TestTools

/// Records 1,000 stations of 128 kbit/s with one daemon, beside fifty streamrippers that record one of them each.
///
/// CPU time is measured once startup and bursts are over; memory is measured at the end. Every file is compared with
/// the programme.
struct DaemonStations {
    let stations: Int
    let seconds: Int

    private static let peers = 50
    /// The seconds allowed for startup and bursts.
    private static let settling = 30
    /// The seconds within which all recordings end.
    private static let endSpread = 1.5
    /// The environment that deploy/aircheck.service sets.
    private static let environment = ["GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"]
    private static let shape = MPEGShape(128)

    private struct Reading {
        /// The CPU time of all processes together, as a share of one core.
        var load: Double
        /// The private dirty memory in bytes, of all processes together.
        var dirty: Double
    }

    func run() throws -> [Figure] {
        note("daemon: \(stations) stations in one process for \(seconds) s, beside \(Self.peers) streamrippers")
        let programme = Broadcast([.music(.seconds(40 + seconds + 120))], Self.shape)
        let origin = try ScriptedOrigin(LiveScript(.stream(LiveStream(programme))))
        let folder = try TemporaryFolder("aircheck-daemon")
        let config = try folder.write(
            "config.toml", try DaemonConfig(origin, stations: stations, relayed: 0).text)
        let daemon = try ChildProcess(
            aircheckBinary(), ["serve", "--config", config, "--socket", folder.file("socket")],
            environment: Self.environment)
        let peers = try (0..<Self.peers).map { number in
            try ChildProcess(
                .streamripper,
                [origin.url("/s\(number)"), "-d", folder.path, "-s", "-A", "-a", "peer\(number)", "--quiet"])
        }
        let (ours, theirs) = try measure([daemon], peers)
        daemon.terminate()
        for peer in peers { peer.terminate() }
        let outcome = try daemon.wait(within: .seconds(120))
        guard outcome.succeeded else { throw SetupError("aircheck did not end well:\n\(daemon.errorSoFar)") }
        let recordings = try check(folder, programme)
        let (own, peer) = (ours.load / Double(stations), theirs.load / Double(Self.peers))
        let (memory, peerMemory) = (ours.dirty / Double(stations), theirs.dirty / Double(Self.peers))
        return [
            Figure(
                name: "\(stations) stations: recordings with a lost frame", ours: "\(recordings.broken)", peer: "",
                value: Double(recordings.broken), goal: .atMost(0)),
            Figure(
                name: "\(stations) stations: the last begins after the first, s",
                ours: decimal(recordings.startSpread), peer: "", value: recordings.startSpread, goal: .atMost(10)),
            Figure(
                name: "\(stations) stations: CPU of a core", ours: "\(decimal(ours.load * 100)) %", peer: "",
                value: ours.load, goal: .atMost(0.1)),
            Figure(
                name: "\(stations) stations: CPU each", ours: "\(decimal(own * 1e6)) µs a second",
                peer: "streamripper \(decimal(peer * 1e6)) µs", value: own / peer, goal: .atMost(0.2)),
            Figure(
                name: "\(stations) stations: memory each", ours: "\(decimal(memory / 1000)) kB",
                peer: "streamripper \(decimal(peerMemory / 1000)) kB", value: memory / 1000, goal: .atMost(250)),
        ]
    }

    private func measure(_ ours: [ChildProcess], _ peers: [ChildProcess]) throws -> (Reading, Reading) {
        let groups = [ours, peers].map { $0.map { ProcessMeter(pid: $0.pid) } }
        func time(_ meters: [ProcessMeter]) throws -> Int64 { try meters.reduce(0) { $0 + (try $1.processorTime()) } }
        try wait(Self.settling, ours + peers)
        let (start, before) = (ContinuousClock.now, try groups.map(time))
        try wait(seconds - Self.settling, ours + peers)
        let elapsed = start.duration(to: .now)
        let readings = try zip(groups, before).map { meters, before in
            Reading(
                load: Duration.nanoseconds(try time(meters) - before) / elapsed,
                dirty: Double(try meters.reduce(0) { $0 + (try $1.memory().dirty) }))
        }
        return (readings[0], readings[1])
    }

    /// Compares every recording with the programme. A recording is broken if a frame between its first and its last is
    /// missing, foreign or duplicated, or if it ends earlier than the others, because all are ended at the same time.
    /// The recordings start at different times, like their connections, so a late start is not a flaw but a separate
    /// figure.
    private func check(_ folder: TemporaryFolder, _ programme: Broadcast) throws -> (broken: Int, startSpread: Double) {
        let checker = FrameChecker(programme)
        let stretches = try (0..<stations).map { number in
            let report = checker.check(try bytes(ofFile: folder.file("recordings/s\(number).mp3")))
            if !report.isExact { note("daemon: s\(number): \(report)") }
            return report.exactStretch
        }
        let exact = stretches.compactMap { $0 }
        guard let first = exact.map(\.lowerBound).min(), let latest = exact.map(\.lowerBound).max(),
            let end = exact.map(\.upperBound).max()
        else { return (stations, 0) }
        func seconds(_ frames: Int) -> Double { Double(frames) * 1152 / Double(Self.shape.sampleRate) }
        let short = exact.count { seconds(end - $0.upperBound) > Self.endSpread }
        if short > 0 { note("daemon: \(short) recordings end more than \(Self.endSpread) s before the last") }
        return (stations - exact.count + short, seconds(latest - first))
    }

    /// Waits; throws if a child process ends in the meantime.
    private func wait(_ seconds: Int, _ children: [ChildProcess]) throws {
        _ = waitUntil(.seconds(seconds)) { children.contains { !$0.isRunning } }
        guard let ended = children.first(where: { !$0.isRunning }) else { return }
        throw SetupError("a recorder ended early:\n\(ended.errorSoFar)")
    }
}
