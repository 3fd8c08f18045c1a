// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import HTTPServer
import RadioCore

/// `aircheck relay`: one station, for every device in the house.
struct RelayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay",
        abstract: "Re-serves a station to any number of players, from one connection to it.",
        discussion: """
            Several addresses are mirrors of one and the same programme: when one fails, the next is tried.
            """)

    @Argument(help: ArgumentHelp("The station's address; further ones are mirrors.", valueName: "url"))
    var urls: [String]

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
        return RelayJob(
            source: .station(try station.settings(urls, giveUp: .seconds(60))), addresses: addresses, path: mount)
    }
}
