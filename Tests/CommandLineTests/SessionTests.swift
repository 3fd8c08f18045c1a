// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import HTTPServer
import MediaSources
import RadioCore
import RadioFormats
import Recorder
import Relay
import Stations
import TestTools
import Testing

@testable import aircheck

/// What a command line starts in the engine: programmes, and the uses of each.
struct SessionTests {
    private let url = "https://radio.example/live"

    @Test("A recording with relay options and a relay with record options are the same session")
    func recordAndRelay() throws {
        let options = ["--listen", "127.0.0.1:9000", "--mount", "fip", "--output", "out", "--as", "FIP"]
        let sessions = [
            try RecordCommand.parse([url, "--relay", "--name", "{station} %H"] + options).session(),
            try RelayCommand.parse([url, "--record", "--name", "{station} %H"] + options).session(),
        ]
        for session in sessions {
            let part = try #require(session.parts.first)
            #expect(session.parts.count == 1 && session.commands.count == 4)
            #expect(session.service?.addresses.map(\.description) == ["127.0.0.1:9000"])
            #expect(part.mount?.path == "/fip" && part.mount?.settings.fields.name == "FIP")
            #expect(part.recording?.output == .folder("out") && part.recording?.endsProgramme == true)
            #expect(part.recording?.settings.name == (try NameTemplate(parsing: "{station} %H")))
            #expect(Self.station(part)?.name == "FIP")
        }
    }

    @Test("Several stations are recorded in one process, each with its mirrors and mount") func manyStations() throws {
        let arguments = [
            "--station", "FIP=http://a.example/fip?x=1=2", "--station", "Radio Nova=http://b.example/nova",
            "--station", "FIP=http://c.example/fip", "--relay",
        ]
        let session = try RecordCommand.parse(arguments).session()
        #expect(session.parts.map(\.name) == ["FIP", "Radio Nova"])
        #expect(session.parts.map { Self.station($0)?.urls.count } == [2, 1])
        #expect(Self.station(session.parts[0])?.urls[0] == "http://a.example/fip?x=1=2")
        #expect(session.parts.map { Self.station($0)?.name } == ["FIP", "Radio Nova"])
        #expect(session.parts.map(\.mount?.path) == ["/fip", "/radio-nova"])
        #expect(session.parts.map(\.mount?.settings.fields.name) == ["FIP", "Radio Nova"])
        #expect(Set(session.parts.compactMap(\.recording?.settings.recording)).count == 2)
        let one = try RecordCommand.parse(["--station", "FIP=" + url, "--relay", "--mount", "/x"]).session()
        #expect(one.parts.map(\.mount?.path) == ["/x"])
    }

    @Test("Stations whose names give the same path get numbers appended") func equalPaths() throws {
        let stations = ["FIP", "fip", "fip 2", "FIP!"].flatMap { ["--station", "\($0)=http://a.example/"] }
        let session = try RecordCommand.parse(stations + ["--relay"]).session()
        #expect(session.parts.map(\.mount?.path) == ["/fip", "/fip-2", "/fip-2-2", "/fip-3"])
    }

    @Test("A header goes to the server of a single station, and not to the fallback") func header() throws {
        let header = ["--header", "Authorization: Bearer secret"]
        let stations = ["--station", "FIP=http://a.example/", "--station", "Nova=http://b.example/"]
        #expect(refuses(RecordCommand.self, stations + header, "--header"))
        let one = try RecordCommand.parse(["--station", "FIP=" + url] + header).session()
        #expect(Self.station(one.parts[0])?.headers.count == 1)
        let mirrors = ["--station", "FIP=" + url, "--station", "FIP=http://c.example/"]
        #expect(try RecordCommand.parse(mirrors + header).session().parts.count == 1)
        let relay = try RelayCommand.parse([url, "--fallback", "http://b.example/"] + header).session()
        #expect(Self.station(relay.parts[0])?.headers.count == 1)
        guard case .station(let fallback)? = relay.fallback else { throw SetupError("no fallback") }
        #expect(fallback.headers.isEmpty)
    }

    @Test("A station may be named fallback") func fallbackAsName() throws {
        let arguments = ["--station", "fallback=http://a.example/", "--relay", "--fallback", "/tmp"]
        let session = try RecordCommand.parse(arguments).session()
        #expect(session.fallback != nil && session.parts.map(\.programmeID) != [Session.fallbackID])
    }

    @Test("Audio from a pipe can be recorded, and files cannot") func recordedPipe() throws {
        let session = try RelayCommand.parse(["-", "--record", "--as", "Studio"]).session()
        let part = try #require(session.parts.first)
        guard case .media(let plan, _) = part.programme else { throw SetupError("no media") }
        #expect(plan.input == .standardInput && part.recording?.settings.station == "Studio")
        #expect(refuses(RelayCommand.self, ["/tmp", "--record"], "you have them already"))
    }

    @Test(
        "Options that do not go together with a recording are refused",
        arguments: [
            (["--listen", "127.0.0.1:9000"], "--relay"), (["--users", "x"], "--relay"),
            (["--genre", "Jazz"], "--relay"),
            (["--relay", "--on-demand"], "--on-demand"), (["--station", "FIP=http://a.example/"], "name all"),
            (["--as", ""], "--as"), (["--as", "a\nb"], "--as"),
            (["--relay", "--mount", "a b"], "--mount"), (["--relay", "--burst", "11s"], "--burst"),
            (["--relay", "--rewind", "2h"], "--rewind"),
            (["--relay", "http://127.0.0.1:8000/live"], "--listen"),
        ])
    func recordConflicts(options: [String], word: String) {
        #expect(refuses(RecordCommand.self, [url] + options, word))
    }

    @Test(
        "A text that describes no station is refused",
        arguments: [
            (["FIP"], "fip=https"), (["http://a.example/?a=b"], "fip=https"), (["=http://a.example/"], "--station"),
            (["FIP=ftp://a.example/"], "http://"), (["FIP="], "fip=https"),
            ([String(repeating: "x", count: 101) + "=http://a.example/"], "--station"),
        ])
    func invalidStation(stations: [String], word: String) {
        #expect(refuses(RecordCommand.self, stations.flatMap { ["--station", $0] }, word))
    }

    @Test(
        "Options for one station are refused for several",
        arguments: [["--output", "-"], ["--relay", "--mount", "/x"], ["--as", "FIP"]])
    func severalStations(options: [String]) {
        let stations = ["--station", "FIP=http://a.example/", "--station", "Nova=http://b.example/"]
        #expect(refuses(RecordCommand.self, stations + options, "--"))
    }

    @Test(
        "Options that do not go together with a relay are refused",
        arguments: [
            (["--record", "--on-demand"], "--on-demand"), (["--segment", "title"], "--record"),
            (["--output", "x"], "--record"), (["--as", "A", "--name", "B"], "--name"),
        ])
    func relayConflicts(options: [String], word: String) {
        #expect(refuses(RelayCommand.self, [url] + options, word))
    }

    private static func station(_ part: Session.Part) -> StationSettings? {
        if case .station(let settings) = part.programme { settings } else { nil }
    }

    private func refuses<Command: ParsableCommand>(
        _ command: Command.Type, _ arguments: [String], _ word: String
    ) -> Bool {
        do {
            _ = try Command.parse(arguments)
            return false
        } catch {
            return Command.message(for: error).contains(word) && Command.exitCode(for: error) == .validationFailure
        }
    }
}
