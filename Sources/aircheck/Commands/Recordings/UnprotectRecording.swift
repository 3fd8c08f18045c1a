// SPDX-License-Identifier: MIT

import ArgumentParser
import Control

/// `aircheck recordings unprotect`.
struct UnprotectRecording: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unprotect", abstract: "Removes a recording's protection, so that it can be deleted.")

    @OptionGroup var recording: RecordingArgument

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let target = ControlTarget("/v1/recording/protect").adding("id", recording.id).adding("on", "0")
        _ = try daemon.client.answer(target, method: .post)
        Console.put("no longer protected")
    }
}
