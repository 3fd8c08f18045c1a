// SPDX-License-Identifier: MIT

import ArgumentParser
import Control

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
        _ = try daemon.client.answer(ControlTarget("/v1/recordings/rescan"), method: .post)
        Console.put("the catalog is being rebuilt")
    }
}
