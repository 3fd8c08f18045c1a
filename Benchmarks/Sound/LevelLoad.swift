// SPDX-License-Identifier: MIT

import Glibc
import TestSupport

/// Processor time that the level meter of a recording takes: that of a recording with it, without that of one without.
struct LevelLoad {
    let seconds: Int

    private static let settling: UInt32 = 10
    private static let option = "--level"

    func figures() throws -> [Figure] {
        let help = try ChildProcess(aircheckBinary(), ["record", "--help"]).wait(within: .seconds(10))
        guard help.text.contains(Self.option) else {
            note("level: aircheck record has no \(Self.option)")
            return []
        }
        note("level: \(seconds) s")
        let stage = try SoundStage(.mp3(128), seconds: seconds + 60)
        let folder = try TemporaryFolder("aircheck-level")
        let plain = try ChildProcess(aircheckBinary(), ["record", stage.url, "--output", folder.file("plain")])
        let level = try ChildProcess(
            aircheckBinary(), ["record", stage.url, "--output", folder.file("level"), Self.option])
        return try withExtendedLifetime(stage) {
            sleep(Self.settling)
            let children = [plain, level]
            let start = ContinuousClock.now
            let before = try children.map { try ProcessMeter(pid: $0.pid).processorTime() }
            sleep(UInt32(seconds))
            let loads = try zip(children, before).map { child, before in
                guard child.isRunning else { throw SetupError("aircheck ended early:\n\(child.errorSoFar)") }
                let used = Duration.nanoseconds(try ProcessMeter(pid: child.pid).processorTime() - before)
                return used / start.duration(to: .now)
            }
            let meter = (loads[1] - loads[0]) * 100
            return [
                Figure(
                    name: "level meter of a recording: % of a core", ours: decimal(meter) + " %",
                    peer: "recording alone " + percent(loads[0]), value: meter, goal: .atMost(0.2))
            ]
        }
    }
}
