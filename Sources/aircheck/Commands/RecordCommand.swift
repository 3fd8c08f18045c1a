// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import Instants
import Playback
import RadioCore
import Relay
import Stations

/// `aircheck record`: records stations to disk, and can relay them at the same time.
struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Records stations until Ctrl-C, or for a given time.",
        usage: """
            aircheck record <url> ... [<options>]
            aircheck record --station <name=url> ... [<options>]
            aircheck record <station-of-the-daemon> --for <time>
            """,
        discussion: """
            Several addresses are mirrors of one and the same programme: when one fails, the next is tried. Several \
            stations are recorded at once with --station, each under its name.

            Files are named by station, date and time, or with --segment title by artist and title. A file that is still growing ends in .part and can be played \
            already. A .json beside each file contains its titles, times and gaps.

            With --relay you can listen while Aircheck records, from the same connection to the station.

            With --for, a running 'aircheck serve' records one of its stations for that time, in the way its \
            configuration says. This command then ends at once.

            Exit status: 0 done, 64 wrong usage, 66 the daemon has no such station (--for), 69 the station could not \
            be reached or sent no audio, 74 the recording could not be written, or not to its end, 75 another program \
            has the port, 77 the daemon does not take this from you (--for).
            """)

    @Argument(
        help: .value("url", "The station's address; further ones are mirrors. http:// may be left out."),
        completion: .stations)
    var urls: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Your name for a station, and its address. May be given several times: another name is another \
            station; the same name again adds a mirror.
            """, valueName: "name=url"))
    var station: [String] = []

    @Option(name: .customLong("as"), help: .value("name", "Your name for the station, in file names and for players."))
    var alias: String?

    @Flag(
        help: """
            Begin with the oldest audio that the list of a station in HLS still has. Without it, a recording begins with \
            what is on air. With --duration, what was on air before comes on top.
            """)
    var fromStart = false

    @Flag(help: "Let players listen during the recording; see the options under Relay, Access and Description.")
    var relay = false

    @Flag(help: "Play the station on this machine during the recording; see the options under Sound.")
    var play = false

    @Flag(help: "Show a level meter in the live line, even without --play.")
    var level = false

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Have a running 'aircheck serve' record the station for this time.", valueName: "time"),
        transform: ArgumentValue.duration)
    var length: DurationArgument?

    @Option(
        help: .value("path", "With --for: the socket of 'aircheck serve'. Default: as for 'aircheck status'"),
        completion: .file())
    var socket: String?

    @OptionGroup(title: "Recording") var naming: NamingOptions
    @OptionGroup(title: "Recording") var recording: RecordingOptions
    @OptionGroup(title: "Recording") var ending: EndingOptions
    @OptionGroup var reporting: DetailOptions
    @OptionGroup(title: "Station") var stationOptions: StationOptions
    @OptionGroup(title: "Sound") var sound: PlayOptions
    @OptionGroup var serving: ServingOptions

    func validate() throws {
        guard length == nil else {
            guard urls.count == 1, station.isEmpty else {
                throw ValidationError("--for requires the name of one station of 'aircheck serve', and nothing else.")
            }
            if let option = givenBesideFor {
                throw ValidationError(
                    "\(option) cannot be combined with --for: 'aircheck serve' records as its configuration says.")
            }
            return
        }
        if socket != nil { throw ValidationError("--socket requires --for.") }
        _ = try session()
    }

    func run() throws {
        if let length, let station = urls.first {
            let client = DaemonOptions.client(socket)
            return try RemoteRecording.begin(station, length.duration, client, wantsJSON: ending.json)
        }
        let remark = stationOptions.environmentRemark(ProcessEnvironment.values)
        var run = SessionRun(try session(), wantsJSON: ending.json, detail: reporting.detail, remark: remark)
        try run.run()
    }

    /// The first given option that a running daemon would ignore; nil if there is none.
    private var givenBesideFor: String? {
        let own = Self.first(given: [
            "--as": alias != nil, "--relay": relay, "--play": play, "--level": level, "--name": naming.name != nil,
            "--give-up": ending.giveUp != nil, "--from-start": fromStart,
        ])
        return own ?? recording.given ?? stationOptions.given ?? sound.given ?? serving.given
    }

    /// Parses the command line into a session. Throws `ValidationError` for wrong usage.
    func session() throws -> Session {
        if let option = serving.given, !relay { throw ValidationError("\(option) requires --relay.") }
        if let option = sound.given, !play { throw ValidationError("\(option) requires --play.") }
        return try checked { station.isEmpty ? try one() : try several() }
    }

    private func one() throws -> Session {
        guard !urls.isEmpty else { throw ValidationError("Give the address of a station, or --station NAME=URL.") }
        if let id = urls.first(where: RelayedStation.looksLikeID) {
            throw SettingFault(
                .url, "'\(id)' is not an address, such as http://radio.example/stream",
                remedy: "to have the running daemon record a station of its configuration, add --for 1h")
        }
        if let alias { try StationList.check(name: alias, .alias) }
        var part = try part(name: nil, urls, called: alias)
        part.player = try player
        guard relay else { return Session(parts: [part]) }
        let (mount, service) = try serving.specs(name: alias)
        part.mount = mount
        return try served([part], at: service)
    }

    private func several() throws -> Session {
        guard urls.isEmpty else {
            throw ValidationError("Addresses without a name cannot be combined with --station: name all of them.")
        }
        guard alias == nil else { throw ValidationError("--as is for a single address; --station has names already.") }
        let entries = try StationList(parsing: station).entries
        let refused: [(isGiven: Bool, why: String)] = [
            (recording.output == "-", "--output - takes a single station: frames of several stations would be mixed."),
            (
                !stationOptions.header.isEmpty,
                "--header is for a single station: a header for one server is not sent to others."
            ), (play, "--play is for a single station: several stations would be heard at once."),
            (
                serving.relay.mount != nil,
                "--mount is for a single station; several stations are served under their names."
            ),
        ]
        if entries.count > 1, let first = refused.first(where: \.isGiven) { throw ValidationError(first.why) }
        var parts = try entries.map { try part(name: $0.name, $0.urls, called: $0.name) }
        for index in parts.indices { parts[index].player = try player }
        // The duration applies to the whole command: it also ends the recording of a station that cannot be reached.
        for index in parts.indices { parts[index].recording?.sharesTime = true }
        guard relay else { return Session(parts: parts) }
        let service = try serving.specs(name: nil).service
        for (index, entry) in entries.enumerated() {
            var mount = try serving.specs(name: entry.name).mount
            if serving.relay.mount == nil { mount.path = entry.mount }
            parts[index].mount = mount
        }
        return try served(parts, at: service)
    }

    /// Plays the programme, or only measures its loudness; nil if neither is wanted.
    private var player: PlaySpec? {
        get throws {
            let isMeasured = Console(reporting.detail).hasLiveLine
            if play { return try sound.spec(measuresLoudness: isMeasured) }
            guard level, isMeasured else { return nil }
            return PlaySpec(settings: PlayerSettings(measuresLoudness: true), output: .none)
        }
    }

    private func part(name: String?, _ urls: [String], called alias: String?) throws -> Session.Part {
        let patience = ending.giveUp?.duration ?? .seconds(60)
        let settings = try stationOptions.settings(urls, name: alias, giveUp: patience)
        var spec = try recording.spec(orElse: ".", name: naming.name, json: ending.json)
        // Everything was on air after that.
        if fromStart { spec.start = .airTime(WallInstant(nanoseconds: 0)) }
        return Session.Part(name: name, programme: .station(settings), recording: spec)
    }

    private func served(_ parts: [Session.Part], at service: ServiceSpec) throws -> Session {
        let burst = parts.first?.mount?.settings.burst ?? .zero
        let fallback = try serving.fallback(stationOptions, ahead: burst)
        for part in parts { try part.mount?.check(part.programme, orElse: fallback, at: service.addresses) }
        return Session(parts: parts, service: service, fallback: fallback)
    }
}
