// SPDX-License-Identifier: MIT

import ArgumentParser
import Control

/// `aircheck recordings clean`.
struct CleanRecordings: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clean",
        abstract: "Says which recordings the daemon is going to delete next.",
        discussion: """
            The daemon deletes what the configuration does not keep (keep-days, keep-last, keep-size, free-space), \
            every five minutes. This command lists what it would delete now, and deletes nothing.
            """)

    @Flag(help: "Accepted for scripts: this command never deletes anything.")
    var dryRun = false

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let answer = try DaemonQuestion.ask(daemon.client, ControlTarget("/v1/retention"))
        if json { return Console.put(json: answer) }
        for line in RetentionList.lines(answer) { Console.put(line) }
    }
}
