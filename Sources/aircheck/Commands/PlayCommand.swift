// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import MediaSources
import RadioCore
import SoundOutput

/// `aircheck play`: a station, or files, on the loudspeaker of this machine.
struct PlayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Plays a station, or your own files, on this machine.",
        usage: """
            aircheck play <url> ... [<options>]
            aircheck play <file-or-folder> ... [<options>]
            aircheck play --list-devices
            """,
        discussion: """
            Several addresses are mirrors of one and the same programme: when one fails, the next is tried. What has \
            been received plays on while the station is away.

            Sound goes to PulseAudio or PipeWire, and comes back by itself when that restarts.

            Exit status: 0 done, 64 wrong usage, 69 the station or the sound server could not be reached, or nothing \
            could be played.
            """)

    @Argument(
        help: ArgumentHelp(
            "The station's address, and its mirrors; or files, folders, or playlists of files.", valueName: "source"))
    var sources: [String] = []

    @Flag(help: "List the devices of the sound server, and end.")
    var listDevices = false

    @OptionGroup(title: "Sound") var sound: PlayOptions
    @OptionGroup(title: "Station") var station: StationOptions
    @OptionGroup var ending: EndingOptions

    func validate() throws {
        if listDevices {
            guard sources.isEmpty else { throw ValidationError("--list-devices takes no address.") }
            return
        }
        _ = try session()
    }

    func run() throws {
        if listDevices { return try DeviceList.show() }
        var run = SessionRun(try session(), wantsJSON: ending.json)
        try run.run()
    }

    /// What the command line asks for.
    private func session() throws -> Session {
        guard !sources.isEmpty else { throw ValidationError("Give the address of a station, or a file.") }
        return try checked {
            let patience = ending.giveUp?.duration ?? .seconds(60)
            let programme = try ProgrammeSpec(
                parsing: sources, shuffle: false, once: false, seed: 0, ahead: Self.ahead
            ) { urls throws(SettingFault) in try station.settings(urls, giveUp: patience) }
            var part = Session.Part(programme: programme.playedOnce)
            part.player = try sound.spec(measuresLoudness: Console().isTerminal, giveUp: patience)
            return Session(parts: [part])
        }
    }

    /// Of files so much is read ahead of what is heard.
    private static let ahead = Duration.seconds(4)
}

extension ProgrammeSpec {
    /// Files once, from the first to the last; a station is what it is.
    fileprivate var playedOnce: ProgrammeSpec {
        guard case .media(var plan, let ahead) = self else { return self }
        plan.repeats = false
        return .media(plan, ahead: ahead)
    }
}
