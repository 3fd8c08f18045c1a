// SPDX-License-Identifier: MIT

import Glibc
import TestSupport
import TestTools

/// Measures the CPU time of players that play one station at the same time, each on its own null sink and without a
/// terminal.
struct PlaybackLoad {
    let seconds: Int

    /// The seconds allowed for startup and burst.
    private static let settling: UInt32 = 10

    struct Reading {
        /// The CPU time, as a share of one core.
        var load: Double
        /// The private dirty memory in bytes.
        var dirty: Int
    }

    func figures() throws -> [Figure] {
        let readings = try measure(SoundProgram.allCases, .mp3(128))
        guard let ours = readings[.aircheck], let mpg123 = readings[.mpg123], let mpv = readings[.mpv] else {
            return []
        }
        return [
            Figure(
                name: "playback: CPU of a core, 128 kbit/s", ours: percent(ours.load),
                peer: "mpg123 " + percent(mpg123.load), value: ours.load / mpg123.load, goal: .atMost(1)),
            Figure(
                name: "playback: CPU of a core, 128 kbit/s", ours: percent(ours.load), peer: "mpv " + percent(mpv.load),
                value: ours.load / mpv.load, goal: .none),
        ]
    }

    /// The figures of a codec that another process decodes. They include that process.
    func figures(_ encoding: ReferenceProgramme.Encoding, _ name: String) throws -> [Figure] {
        let readings = try measure([.aircheck, .mpv], encoding)
        guard let ours = readings[.aircheck], let mpv = readings[.mpv] else { return [] }
        func mebibytes(_ memory: Int) -> String { decimal(Double(memory) / 1_048_576) + " MiB" }
        return [
            Figure(
                name: "playback: CPU of a core, \(name)", ours: percent(ours.load), peer: "mpv " + percent(mpv.load),
                value: ours.load / mpv.load, goal: .none),
            Figure(
                name: "playback: dirty private memory, \(name)", ours: mebibytes(ours.dirty),
                peer: "mpv " + mebibytes(mpv.dirty), value: Double(ours.dirty) / Double(mpv.dirty), goal: .none),
        ]
    }

    private func measure(
        _ programs: [SoundProgram], _ encoding: ReferenceProgramme.Encoding
    ) throws -> [SoundProgram: Reading] {
        note("playback: \(seconds) s, \(programs.map(\.rawValue).joined(separator: ", "))")
        let stage = try SoundStage(encoding, seconds: seconds + 60)
        // A null sink without listeners renders 2 s ahead, so it calls players less often than hardware does. This
        // applies to all players alike.
        let players = try programs.map { program in
            let server = try PulseServer()
            return (program, server, try program.start(stage.url, on: server))
        }
        return try withExtendedLifetime(stage) {
            sleep(Self.settling)
            let start = ContinuousClock.now
            let before = try players.map { try FamilyMeter(pid: $0.2.pid).processorTime() }
            sleep(UInt32(seconds))
            var readings: [SoundProgram: Reading] = [:]
            for ((program, server, player), before) in zip(players, before) {
                guard player.isRunning, try server.streamNumber() != nil else {
                    throw SetupError("\(program.rawValue) does not play:\n\(player.errorSoFar)")
                }
                let meter = FamilyMeter(pid: player.pid)
                let used = Duration.nanoseconds(try meter.processorTime() - before)
                readings[program] = Reading(
                    load: used / start.duration(to: .now), dirty: try meter.dirtyMemory())
            }
            return readings
        }
    }
}
