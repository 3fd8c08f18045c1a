// SPDX-License-Identifier: MIT

import ArgumentParser
import Control
import RadioFormats

/// `aircheck recordings protect`.
struct ProtectRecording: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "protect", abstract: "Protects a recording from being deleted.",
        discussion: """
            While a recording is under way, only its finished files are protected.
            """)

    @Argument(
        help: ArgumentHelp("The recording's ID, or that of one of its files.", valueName: "id"), completion: .recordings
    )
    var id: String

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let target = ControlTarget("/v1/recording/protect").adding("id", id).adding("on", "1")
        _ = try DaemonQuestion.ask(daemon.client, target, method: "POST")
        Console.put("protected")
    }
}

/// `aircheck recordings unprotect`.
struct UnprotectRecording: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unprotect", abstract: "Removes a recording's protection, so that it can be deleted.")

    @Argument(
        help: ArgumentHelp("The recording's ID, or that of one of its files.", valueName: "id"), completion: .recordings
    )
    var id: String

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let target = ControlTarget("/v1/recording/protect").adding("id", id).adding("on", "0")
        _ = try DaemonQuestion.ask(daemon.client, target, method: "POST")
        Console.put("no longer protected")
    }
}

/// `aircheck recordings delete`.
struct DeleteRecording: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Deletes a recording, with all its files.",
        discussion: """
            Only for the daemon's user and root. Protected and growing recordings are not deleted. deleted.jsonl in \
            the state folder lists deleted recordings, and those that could not be deleted, with the reason.
            """)

    @Argument(
        help: ArgumentHelp("The recording's ID, or that of one of its files.", valueName: "id"), completion: .recordings
    )
    var id: String

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let target = ControlTarget("/v1/recording/delete").adding("id", id)
        _ = try DaemonQuestion.ask(daemon.client, target, method: "POST")
        Console.put("deleted")
    }
}

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

/// `aircheck recordings rescan`.
struct RescanRecordings: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rescan",
        abstract: "Rebuilds the daemon's catalog from the files that lie beside the recordings.",
        discussion: """
            Recordings continue meanwhile. The daemon's log says when the catalog is rebuilt, and which files are \
            new copies of others: copies do not count. A file that was renamed gets its sidecar again, by the checksum \
            of its audio, and a lost sidecar is made again.
            """)

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        _ = try DaemonQuestion.ask(daemon.client, ControlTarget("/v1/recordings/rescan"), method: "POST")
        Console.put("the catalog is being rebuilt")
    }
}
