// SPDX-License-Identifier: MIT

import Glibc
import TestSupport
import TestTools

/// Records one station in real time with Aircheck, streamripper and ffmpeg, all at once from the same Icecast mount.
///
/// CPU time is measured once startup and burst are over; memory is measured at the end.
struct RealTime {
    let seconds: Int

    /// The seconds allowed for startup and burst.
    private static let settling = 15
    /// The seconds for which the station is on air before anything records it: longer than its burst, as with real
    /// stations.
    private static let onAir = 6
    private static let mount = "/station.mp3"

    private struct Reading {
        /// The CPU time, as a share of one core.
        var load: Double
        var resident: Double
        /// The private dirty memory in MiB.
        var dirty: Double
    }

    func run() throws -> [Figure] {
        note("real time: \(seconds) s beside streamripper and ffmpeg")
        let server = try IcecastServer()
        let programme = try ReferenceProgramme(.init(.mp3(128), seconds: seconds + 60))
        let feeder = try Feeder(programme, to: server, mount: Self.mount)
        sleep(UInt32(Self.onAir))
        let folder = try TemporaryFolder("aircheck-real-time")
        let url = server.url(Self.mount)
        let children = [
            try ChildProcess(aircheckBinary(), ["record", url, "--output", folder.path]),
            try ChildProcess(.streamripper, [url, "-d", folder.path, "-s", "-A", "-a", "streamripper", "--quiet"]),
            try ChildProcess(
                .ffmpeg,
                ["-hide_banner", "-loglevel", "error", "-nostdin", "-i", url, "-c", "copy", folder.file("ffmpeg.mp3")]),
        ]
        let readings = try withExtendedLifetime((server, feeder)) { try measure(children) }
        for child in children { child.terminate() }
        guard try children[0].wait(within: .seconds(10)).succeeded else {
            throw SetupError("aircheck did not end well:\n\(children[0].errorSoFar)")
        }
        return figures(ours: readings[0], streamripper: readings[1], ffmpeg: readings[2])
    }

    private func measure(_ children: [ChildProcess]) throws -> [Reading] {
        let meters = children.map { ProcessMeter(pid: $0.pid) }
        try wait(Self.settling, children)
        let start = ContinuousClock.now
        let before = try meters.map { try $0.processorTime() }
        try wait(seconds - Self.settling, children)
        return try zip(meters, before).map { meter, before in
            let used = Duration.nanoseconds(try meter.processorTime() - before)
            let memory = try meter.memory()
            return Reading(
                load: used / start.duration(to: .now), resident: Double(memory.resident) / 1_048_576,
                dirty: Double(memory.dirty) / 1_048_576)
        }
    }

    /// Waits; throws if a child process ends in the meantime.
    private func wait(_ seconds: Int, _ children: [ChildProcess]) throws {
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            sleep(1)
            for child in children where !child.isRunning {
                throw SetupError("a recorder ended early:\n\(child.errorSoFar)")
            }
        }
    }

    private func figures(ours: Reading, streamripper: Reading, ffmpeg: Reading) -> [Figure] {
        func mebibytes(_ memory: Double) -> String { decimal(memory) + " MiB" }
        return [
            Figure(
                name: "real time: CPU of a core", ours: percent(ours.load),
                peer: "streamripper " + percent(streamripper.load), value: ours.load / streamripper.load,
                goal: .atMost(1)),
            Figure(
                name: "real time: CPU of a core", ours: percent(ours.load), peer: "ffmpeg " + percent(ffmpeg.load),
                value: ours.load / ffmpeg.load, goal: .none),
            Figure(
                name: "real time: dirty private memory, MiB", ours: mebibytes(ours.dirty),
                peer: "ffmpeg " + mebibytes(ffmpeg.dirty), value: ours.dirty, goal: .atMost(3.5)),
            Figure(
                name: "real time: resident memory", ours: mebibytes(ours.resident),
                peer: "ffmpeg " + mebibytes(ffmpeg.resident), value: ours.resident / ffmpeg.resident,
                goal: .atMost(0.6)),
        ]
    }
}
