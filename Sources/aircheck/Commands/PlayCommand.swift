// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import Glibc
import MediaSources
import Playback
import Queue
import RadioCore
import RadioFormats
import Stations

/// `aircheck play`: plays a station or files on this machine.
struct PlayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Plays a station, or your own files, on this machine.",
        usage: """
            aircheck play <url> ... [<options>]
            aircheck play <file-or-folder> ... [<options>]
            aircheck play <station-of-the-daemon> [<options>]
            aircheck play --list-devices
            """,
        discussion: """
            Several addresses of a station are mirrors of one and the same programme: when one fails, the next is \
            tried. Audio already received keeps playing while the station is unavailable.

            Everything else is a queue: files, folders, playlists, a podcast's feed, and addresses of files. The \
            server's answer decides what an address is: an endless stream is a station, and the entries of its \
            playlist are mirrors; a file among several addresses, or behind a playlist of several entries, is one \
            item of a queue.

            A folder, a playlist or a podcast continues at the item at which it was left, and an episode, or an item \
            of more than ten minutes, at the place at which it was left. Songs begin at their beginning. Episodes that \
            were heard or skipped are not played again. --list shows the items with their numbers.

            Sound goes to PulseAudio or PipeWire, and resumes by itself after a restart of the sound server.

            Exit status: 0 done, 64 wrong usage, 69 the station or the sound server could not be reached, or nothing \
            could be played.
            """)

    @Argument(
        help: ArgumentHelp(
            """
            The station's address, and its mirrors; or files, folders, playlists and feeds; or the ID of a station of \
            'aircheck serve'.
            """, valueName: "source"), completion: .file())
    var sources: [String] = []

    @Flag(help: "Play the items in random order.")
    var shuffle = false

    @Option(name: .customLong("repeat"), help: "Repeat nothing, one item, or all: none, one, all.")
    var repeats = QueueRepeat.none

    @Flag(help: "Ignore what was heard: begin with the first item, and every item at its start.")
    var fromStart = false

    @Option(help: ArgumentHelp("Begin with the item of this number in the list.", valueName: "number"))
    var item: Int?

    @Flag(help: "List the items of a folder, playlist or podcast, and exit. With --json, as one JSON object.")
    var list = false

    @Option(
        help: ArgumentHelp(
            "The socket of 'aircheck serve', to play one of its stations. Default: as for 'aircheck status'",
            valueName: "path"), completion: .file())
    var socket: String?

    @Flag(help: "List the sound server's devices and exit.")
    var listDevices = false

    @OptionGroup(title: "Sound") var sound: PlayOptions
    @OptionGroup(title: "Station") var station: StationOptions
    @OptionGroup var ending: EndingOptions
    @OptionGroup var reporting: DetailOptions

    func validate() throws {
        if listDevices {
            guard sources.isEmpty else { throw ValidationError("--list-devices takes no address.") }
            return
        }
        if let item, item < 1 { throw ValidationError("--item counts from 1.") }
        if list { _ = try items() } else { _ = try session() }
    }

    func run() throws {
        if listDevices { return try DeviceList.show() }
        if list { return try ItemList.show(try items(), asJSON: ending.json, reporting.detail) }
        let remark = station.environmentRemark(ProcessEnvironment.values)
        var run = SessionRun(try session(), wantsJSON: ending.json, detail: reporting.detail, remark: remark)
        try run.run()
    }

    /// Parses the command line into a session. Throws `ValidationError` for wrong usage.
    private func session() throws -> Session {
        guard !sources.isEmpty else { throw ValidationError("Give the address of a station, or a file.") }
        return try checked {
            let patience = ending.giveUp?.duration ?? .seconds(60)
            let sound = try sound.spec(measuresLoudness: Console(reporting.detail).hasLiveLine, giveUp: patience)
            let relayed = try relayed()
            let sources = try (relayed.map { [$0.url] } ?? sources).map { source throws(SettingFault) in
                try Self.path(source) ?? SourceText.completed(source)
            }
            guard !sources.contains(where: Self.comesOnce) else { return try stream(sources, sound) }
            let addresses = sources.filter { AddressText($0).isAddress }
            let paths = sources.filter { !AddressText($0).isAddress }
            try Self.check(paths)
            var queue = QueueSpec(
                sources: sources, sound: sound, station: try station.settings(addresses, giveUp: patience))
            queue.station.socket = relayed?.socket
            queue.repeats = repeats
            queue.shuffleSeed = shuffle ? UInt64.random(in: .min ... .max) : nil
            // Machines that start together must play the same part of a file.
            queue.isFromStart = fromStart || sound.settings.start != nil
            queue.firstItem = item
            queue.stateFolder = StateFolder.path(ProcessEnvironment.values)
            var part = Session.Part(programme: .queue)
            part.player = queue
            return Session(parts: [part])
        }
    }

    /// What to list. Throws `ValidationError` for wrong usage.
    private func items() throws -> ItemListSpec {
        guard !sources.isEmpty else { throw ValidationError("Give a folder, a playlist or a podcast's address.") }
        return try checked {
            let sources = try sources.map { source throws(SettingFault) in
                try Self.path(source) ?? SourceText.completed(source)
            }
            guard !sources.contains(where: Self.comesOnce) else {
                throw SettingFault(.source, "audio from a pipe has no items to list")
            }
            let addresses = sources.filter { AddressText($0).isAddress }
            try Self.check(sources.filter { !AddressText($0).isAddress })
            var spec = ItemListSpec(
                sources: sources, station: try station.settings(addresses, giveUp: ending.giveUp?.duration))
            spec.stateFolder = StateFolder.path(ProcessEnvironment.values)
            return spec
        }
    }

    /// The station of the running daemon that the only source names; nil if it names none.
    private func relayed() throws(SettingFault) -> RelayedStation? {
        guard sources.count == 1 else { return nil }
        let hasPassword = station.header.contains { $0.lowercased().hasPrefix("authorization:") }
        return try RelayedStation.find(sources[0], DaemonOptions.client(socket), hasPassword: hasPassword)
    }

    /// Throws if a path does not exist.
    static func check(_ paths: [String]) throws(SettingFault) {
        guard !paths.isEmpty else { return }
        do throws(SettingFault) {
            _ = try MediaPlan(parsing: paths)
        } catch {
            guard paths.contains(where: RelayedStation.looksLikeID) else { throw error }
            throw SettingFault(
                error.field, error.problem,
                remedy: "a name must be that of a station of the running daemon: 'aircheck status' lists them")
        }
    }

    /// The path in a `file:` address; nil for any other source. Throws if the file is on another machine.
    private static func path(_ source: String) throws(SettingFault) -> String? {
        guard AddressText(source).isAddress, let file = FileAddress(source) else { return nil }
        guard file.host.isEmpty else {
            throw SettingFault(.source, "'\(source)' is on another machine: only files on this machine can be played")
        }
        return file.path
    }

    /// Whether the source can be read only once: standard input, a pipe or a device.
    private static func comesOnce(_ source: String) -> Bool {
        var status = stat()
        guard source != "-", stat(source.pathBytes, &status) == 0 else { return source == "-" }
        return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    /// A session for sources that can be read only once.
    private func stream(_ sources: [String], _ sound: PlaySpec) throws(SettingFault) -> Session {
        guard repeats == .none else {
            throw SettingFault(.repeats, "only for files; audio from a pipe is played as it arrives")
        }
        let plan = try MediaPlan(parsing: sources, shuffle: shuffle, once: sources != ["-"])
        var part = Session.Part(programme: .media(plan, ahead: Self.ahead))
        part.player = sound
        return Session(parts: [part])
    }

    /// How much audio of a source that can be read only once is delivered ahead of playback.
    private static let ahead = Duration.seconds(4)
}

extension QueueRepeat: ExpressibleByArgument {}
