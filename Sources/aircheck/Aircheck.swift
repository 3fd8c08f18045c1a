// SPDX-License-Identifier: MIT

import ArgumentParser

/// The command line: one file per subcommand in Commands/.
@main
struct Aircheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "aircheck",
        abstract: "Records internet radio: every frame the station sent, once, in order.",
        discussion: """
            Give it the address of a station and it writes the programme to disk as it was sent, cut at the full \
            hour, and reconnects by itself when the station drops the line.

              aircheck record https://example.org/live.mp3
              aircheck probe  https://example.org/live.mp3
              aircheck demo
            """,
        version: "aircheck \(Version.string)",
        subcommands: [RecordCommand.self, ProbeCommand.self, DemoCommand.self])

    static func main() {
        StandardDescriptors.ensureOpen()
        main(nil)
    }
}
