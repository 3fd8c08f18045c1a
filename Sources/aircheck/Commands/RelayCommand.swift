// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import RadioCore
import Relay

/// `aircheck relay`: one station, for every device in the house.
struct RelayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay",
        abstract: "Passes a station, or your own files, on to any number of players.",
        usage: """
            aircheck relay <url> ... [<options>]
            aircheck relay <file-or-folder> ... [--shuffle] [--once] [<options>]
            """,
        discussion: """
            Several addresses are mirrors of one and the same programme: when one fails, the next is tried.

            Files are played one after the other, as a radio station would, and again from the start: single files, \
            all files of a folder, or those of a playlist (M3U, PLS, XSPF). They are sent as they are, so all have to \
            have the same codec; others are skipped.
            """)

    @OptionGroup var source: RelaySource

    @OptionGroup(title: "Relay") var relay: RelayOptions
    @OptionGroup(title: "Access") var access: AccessOptions
    @OptionGroup(title: "Description") var description: DescriptionOptions
    @OptionGroup(title: "Station") var station: StationOptions

    @Option(
        help: ArgumentHelp(
            "Give up when the station has sent no audio after this time. Default: 60s, or 10s with --on-demand",
            valueName: "time"),
        transform: DurationArgument.parse)
    var giveUp: DurationArgument?

    @Flag(help: "Print a report as one JSON object at the end.")
    var json = false

    func validate() throws {
        _ = try session()
    }

    func run() throws {
        var run = SessionRun(try session(), wantsJSON: json)
        try run.run()
    }

    /// What the command line asks for.
    func session() throws -> Session {
        let patience = giveUp?.duration ?? (relay.onDemand ? .seconds(10) : .seconds(60))
        return try checked {
            var mount = try relay.spec()
            description.apply(to: &mount)
            var service = ServiceSpec(addresses: try relay.addresses(), server: "Aircheck \(Version.string)")
            try access.apply(to: &mount, &service)
            let ahead = mount.settings.burst
            let programme = try source.spec(ahead: ahead) { urls throws(SettingFault) in
                try station.settings(urls, giveUp: patience)
            }
            let fallback = try relay.fallback.map { source throws(SettingFault) in
                try ProgrammeSpec(parsingFallback: source, ahead: ahead) { urls throws(SettingFault) in
                    try station.settings(urls, giveUp: nil)
                }
            }
            try mount.check(programme, orElse: fallback, at: service.addresses)
            return Session(parts: [.init(programme: programme, mount: mount)], service: service, fallback: fallback)
        }
    }
}
