// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import RadioCore
import Recorder
import Relay

/// `aircheck relay`: relays one station to any number of players.
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
            all files of a folder, or those of a playlist (M3U, PLS, XSPF). They are sent unchanged, so all must \
            have the same codec, sample rate and channels; files that differ from most others are skipped.
            """)

    @OptionGroup var source: RelaySource

    @Flag(help: "Record it at the same time, as 'aircheck record' does; see the options under Recording.")
    var record = false

    @Flag(help: "Play it on this machine at the same time; see the options under Sound.")
    var play = false

    @Option(name: .customLong("as"), help: .value("name", "Name of the programme, for players and in file names."))
    var alias: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            """
            Without --record, the same as --as. With --record, the template for file names (see 'aircheck record \
            --help').
            """, valueName: "text"))
    var name: String?

    @OptionGroup(title: "Relay") var demand: DemandOptions
    @OptionGroup var serving: ServingOptions
    @OptionGroup(title: "Recording") var recording: RecordingOptions
    @OptionGroup(title: "Sound") var sound: PlayOptions
    @OptionGroup(title: "Station") var station: StationOptions
    @OptionGroup var ending: EndingOptions
    @OptionGroup var reporting: DetailOptions

    func validate() throws {
        _ = try session()
    }

    func run() throws {
        let remark = station.environmentRemark(ProcessEnvironment.values)
        var run = SessionRun(try session(), wantsJSON: ending.json, detail: reporting.detail, remark: remark)
        try run.run()
    }

    /// Parses the command line into a session. Throws `ValidationError` for wrong usage.
    func session() throws -> Session {
        if let option = recording.given, !record { throw ValidationError("\(option) requires --record.") }
        if let option = sound.given, !play { throw ValidationError("\(option) requires --play.") }
        if play, demand.onDemand {
            throw ValidationError("--play and --on-demand contradict each other: playing keeps the station connected.")
        }
        if !record, alias != nil, name != nil { throw ValidationError("--as and --name mean the same: give only one.") }
        return try checked {
            if let alias { try StationList.check(name: alias, .alias) }
            var (mount, service) = try serving.specs(name: alias ?? (record ? nil : name))
            demand.apply(to: &mount)
            let patience = ending.giveUp?.duration ?? .seconds(demand.onDemand ? 10 : 60)
            let ahead = mount.settings.burst
            let programme = try source.spec(ahead: ahead) { urls throws(SettingFault) in
                try station.settings(urls, name: alias, giveUp: patience)
            }
            let fallback = try serving.fallback(station, ahead: ahead)
            try mount.check(programme, orElse: fallback, at: service.addresses)
            var part = Session.Part(programme: programme, mount: mount)
            if record {
                let recording = try recordingSpec()
                try recording.check(programme, beside: mount)
                part.recording = recording
            }
            if play { part.player = try sound.spec(measuresLoudness: Console(reporting.detail).hasLiveLine) }
            return Session(parts: [part], service: service, fallback: fallback)
        }
    }

    private func recordingSpec() throws -> RecordingSpec {
        var spec = try recording.spec(orElse: ".", name: name, json: ending.json)
        spec.settings.station = alias
        return spec
    }
}
