// SPDX-License-Identifier: MIT

import ArgumentParser
import Control

/// `aircheck recordings delete`.
struct DeleteRecording: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Deletes a recording, with all its files.",
        discussion: """
            Only for the daemon's user and root. Protected and growing recordings are not deleted. deleted.jsonl in \
            the state folder lists deleted recordings, and those that could not be deleted, with the reason.
            """)

    @OptionGroup var recording: RecordingArgument

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let target = ControlTarget("/v1/recording/delete").adding("id", recording.id)
        _ = try daemon.client.answer(target, method: .post)
        Console.put("deleted")
    }
}
