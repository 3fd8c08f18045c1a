// SPDX-License-Identifier: MIT

import ArgumentParser
import Control

/// `aircheck stop`: ends a recording started with `aircheck record STATION --for`, or that of a show.
struct StopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "Ends a recording that 'aircheck record STATION --for' has begun, or that of a show.",
        discussion: "The rest of the show is not recorded and not reported as missing; its next broadcast is recorded.")

    @Argument(
        help: .value("recording", "The number, as 'aircheck status' shows it, or a show's ID, or STATION/SHOW."),
        completion: .stoppable)
    var recording: String

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        guard let number = Int(recording) else { return try stopShow() }
        let target = ControlTarget("/v1/record/end").adding("number", "\(number)")
        _ = try daemon.client.answer(target, method: .post)
        Console.put("the recording has ended; its files are being finished")
    }

    private func stopShow() throws {
        let target = ControlTarget("/v1/show/stop").adding("show", recording)
        let answer = try daemon.client.answer(target, method: .post)
        for line in BroadcastLines.lines(answer, "is not recorded any further") { Console.put(line) }
    }
}
