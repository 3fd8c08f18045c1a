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

    @OptionGroup var options: AnswerOptions

    func run() throws {
        options.show(try options.client.answer(ControlTarget("/v1/retention")), RetentionList.lines)
    }
}
