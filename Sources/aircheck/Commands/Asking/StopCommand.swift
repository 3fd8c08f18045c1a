// SPDX-License-Identifier: MIT

import ArgumentParser
import Control

/// `aircheck stop`: ends a recording started with `aircheck record STATION --for`.
struct StopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "Ends a recording that 'aircheck record STATION --for' has begun.")

    @Argument(
        help: ArgumentHelp("The number, as 'aircheck status' shows it.", valueName: "number"), completion: .stoppable)
    var number: Int

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let target = ControlTarget("/v1/record/end").adding("number", "\(number)")
        _ = try DaemonQuestion.ask(daemon.client, target, method: "POST")
        Console.put("the recording has ended; its files are being finished")
    }
}
