// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import RadioCore
import RadioFormats
import Stations
import Words

/// `aircheck probe`: reports a station's properties.
struct ProbeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Shows what a station sends: codec, bit rate, server, title, burst.",
        usage: "aircheck probe [<options>] <url>",
        discussion: "Listens for a few seconds and writes nothing to disk. Follows playlists (PLS, M3U, XSPF, ASX).")

    @Argument(help: ArgumentHelp("The station's address; http:// may be left out.", valueName: "url"))
    var url: String

    @Flag(help: "Print the result as one JSON object.")
    var json = false

    @Option(
        help: ArgumentHelp("Give up when no audio has arrived after this time. Default: 15s", valueName: "time"),
        transform: ArgumentValue.duration)
    var giveUp = DurationArgument(.seconds(15))

    @OptionGroup(title: "Station") var station: StationOptions
    @OptionGroup var reporting: DetailOptions

    func validate() throws {
        _ = try settings()
    }

    func run() throws {
        var console = Console(reporting.detail)
        if let remark = station.environmentRemark(ProcessEnvironment.values) { console.say(remark, .full) }
        let result = try StationProbing.probe(settings(), &console)
        if json {
            let address = AddressText(AddressText(url).withScheme).redacted
            Console.put(json: ProbeReport.json(result, address: address))
        } else if result.failure == nil {
            for line in ProbeReport.lines(result) { Console.put(line) }
        }
        if let failure = result.failure { console.say("error: \(failure.naming(\.option))") }
        try ExitStatus.check(result.failure)
    }

    private func settings() throws -> StationSettings {
        try checked { try station.settings([url], giveUp: giveUp.duration) }
    }
}
