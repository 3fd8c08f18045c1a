// SPDX-License-Identifier: MIT

import Glibc
import TestSupport
import TestTools

/// Measures the CPU time of a recording's level meter: the CPU time of a recording with the meter, minus that of a
/// recording without. Both run in a terminal, because a level that is not displayed is not measured.
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
        let plain = try atTerminal("record \(stage.url) --output \(folder.file("plain"))")
        let level = try atTerminal("record \(stage.url) --output \(folder.file("level")) \(Self.option)")
        return try withExtendedLifetime(stage) {
            sleep(Self.settling)
            let children = [plain, level]
            let start = ContinuousClock.now
            let before = try children.map(processorTime)
            sleep(UInt32(seconds))
            let loads = try zip(children, before).map { child, before in
                Duration.nanoseconds(try processorTime(child) - before) / start.duration(to: .now)
            }
            let meter = (loads[1] - loads[0]) * 100
            return [
                Figure(
                    name: "level meter of a recording: % of a core", ours: decimal(meter) + " %",
                    peer: "recording alone " + percent(loads[0]), value: meter, goal: .atMost(0.2))
            ]
        }
    }

    /// Runs aircheck in a terminal. The returned process is `script`, which provides the terminal; aircheck is its
    /// child.
    private func atTerminal(_ arguments: String) throws -> ChildProcess {
        try ChildProcess("/usr/bin/script", ["-qfec", "exec \(aircheckBinary()) \(arguments)", "/dev/null"])
    }

    private func processorTime(_ terminal: ChildProcess) throws -> Int64 {
        guard terminal.isRunning, let child = try FamilyMeter(pid: terminal.pid).children().first else {
            throw SetupError("aircheck ended early:\n\(String(decoding: terminal.outputSoFar, as: UTF8.self))")
        }
        return try ProcessMeter(pid: child).processorTime()
    }
}
