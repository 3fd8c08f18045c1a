// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import HTTPServer
import RadioCore

/// `aircheck relay`: one station, for every device in the house.
struct RelayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay",
        abstract: "Re-serves a station, or files, to any number of players.",
        usage: """
            aircheck relay <url> ... [<options>]
            aircheck relay <file-or-folder> ... [--shuffle] [--once] [<options>]
            """,
        discussion: """
            Several addresses are mirrors of one and the same programme: when one fails, the next is tried.

            Files are played one after the other, as a radio station would, and again from the start: single files, \
            all files of a folder, or those of a playlist (M3U, PLS, XSPF). They are sent as they are, so all have to \
            be of one codec; others are skipped.
            """)

    @OptionGroup var source: RelaySource

    @Option(help: ArgumentHelp("Where to listen: address and port. May be given several times.", valueName: "address"))
    var listen = ["127.0.0.1:8000"]

    @Option(help: ArgumentHelp("Under which path the station is served.", valueName: "path"))
    var mount = "/live"

    @OptionGroup(title: "Station") var station: StationOptions

    func validate() throws {
        _ = try job()
    }

    func run() throws {
        try RelayRun(job: job()).run()
    }

    private func job() throws -> RelayJob {
        let addresses = try listen.map { text in
            guard let address = SocketAddress(text) else {
                throw ValidationError("'\(text)' is no address with a port, such as 127.0.0.1:8000 or [::1]:8000.")
            }
            return address
        }
        return RelayJob(source: try source.source(station), addresses: addresses, path: mount)
    }
}
