// SPDX-License-Identifier: MIT

import ArgumentParser
import Control

/// `aircheck recordings protect`.
struct ProtectRecording: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "protect", abstract: "Protects a recording from being deleted.",
        discussion: """
            While a recording is under way, only its finished files are protected.
            """)

    @OptionGroup var recording: RecordingArgument

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let target = ControlTarget("/v1/recording/protect").adding("id", recording.id).adding("on", "1")
        _ = try daemon.client.answer(target, method: .post)
        Console.put("protected")
    }
}
