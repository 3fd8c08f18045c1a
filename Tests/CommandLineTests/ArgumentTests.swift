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

/// Which arguments are accepted, and how the others are refused.
struct ArgumentTests {
    private let url = "http://radio.example/live"

    @Test("An address alone is enough to record, and the options have their defaults") func addressAlone() throws {
        let command = try RecordCommand.parse([url])
        let settings = try command.recording.settings()
        #expect(command.urls == [url])
        #expect(settings.policy == (try SegmentPolicy(parsing: "1h")))
        #expect(settings.titleOffset == .zero && !settings.isPure && settings.writesSidecars)
        #expect(command.recording.duration == nil)
        let part = try #require(try command.session().parts.first)
        #expect(part.recording?.output == .folder(".") && part.mount == nil)
        guard case .station(let station) = part.programme else { throw SetupError("no station") }
        #expect(station.giveUp == .seconds(60) && station.userAgent.hasPrefix("Aircheck/"))
        #expect(station.allowsFinite)
    }

    @Test("Every option of record is read") func allOptions() throws {
        let folder = try TemporaryFolder()
        try folder.write("ca.pem", "")
        let command = try RecordCommand.parse([
            url, "https://mirror.example/live", "-o", "out", "-d", "1h30m", "-s", "title", "-n", "{artist}/{title}",
            "--pure", "--give-up", "500ms", "--title-offset", "+2s", "--no-sidecar", "--json", "--user-agent", "Me/1",
            "--header", "Referer: https://example.org/", "--header", "X-Empty:", "--charset", "windows-1251",
            "--ca-file", folder.file("ca.pem"), "--any-entry", "--variant", "96k", "--heal", "long.example/a.m3u8",
            "--heal", "https://long.example/b.m3u8",
        ])
        let recording = try #require(try command.session().parts.first?.recording)
        let settings = recording.settings
        #expect(settings.policy == .title && settings.titleOffset == .seconds(2))
        #expect(settings.isPure && !settings.writesSidecars)
        #expect(command.recording.duration?.duration == .seconds(5_400))
        #expect(command.ending.giveUp?.duration == .milliseconds(500))
        #expect(recording.output == .folder("out"))
        let station = try command.stationOptions.settings(command.urls, giveUp: nil)
        #expect(station.urls.count == 2 && station.userAgent == "Me/1")
        #expect(
            station.headers == [
                .init(name: "Referer", value: "https://example.org/"), .init(name: "X-Empty", value: ""),
            ])
        #expect(station.charset == .windows1251)
        #expect(station.caFile == folder.file("ca.pem") && station.takesAnyEntry)
        #expect(station.variant == .bitRate(96_000))
        #expect(station.healing == ["http://long.example/a.m3u8", "https://long.example/b.m3u8"])
    }

    @Test("A file of certificates that cannot be read is an error at the start") func missingAuthorities() throws {
        let error = #expect(throws: (any Error).self) {
            try RecordCommand.parse([url, "--ca-file", "/nonexistent/ca.pem"])
        }
        #expect(error.map { RecordCommand.message(for: $0).contains("/nonexistent/ca.pem") } == true)
    }

    @Test("The value of -d may follow without a blank") func joinedDuration() throws {
        #expect(try RecordCommand.parse([url, "-d90m"]).recording.duration?.duration == .seconds(5_400))
    }

    @Test(
        "The title offset may be positive or negative",
        arguments: [
            ("2s", Duration.seconds(2)), ("+2s", .seconds(2)), ("-1500ms", .milliseconds(-1_500)), ("1m", .seconds(60)),
        ])
    func titleOffset(text: String, offset: Duration) throws {
        for arguments in [["--title-offset", text], ["--title-offset=\(text)"]] {
            let command = try RecordCommand.parse([url] + arguments)
            #expect(try command.recording.settings().titleOffset == offset)
        }
    }

    @Test("Frames may go to standard output, but not together with JSON") func standardOutput() throws {
        let command = try RecordCommand.parse([url, "-o", "-"])
        #expect(try command.session().parts.first?.recording?.output == .standardOutput)
        #expect(says(["-o", "-", "--json"], "standard output"))
    }

    @Test(
        "A nonsensical option value is refused with a message about it",
        arguments: [
            (["-d", "90"], "90m"), (["-d", "0s"], "longer"), (["-d", "-5s"], ""), (["-d", "1x"], "not a unit"),
            (["--give-up", "soon"], "soon"), (["-s", "3 hours"], "--segment"), (["-s", ""], "--segment"),
            (["-n", "%Q"], "--name"), (["-n", "{nonsense}"], "--name"), (["--title-offset", "2"], "--title-offset"),
            (["--title-offset", "--2s"], "--title-offset"), (["--title-offset", "61s"], "minute"),
            (["--header", "no colon"], "no colon"), (["--header", ": value"], "colon"),
            (["--header", "Bad Name: x"], "Bad Name"), (["--header", "A: b\r\nEvil: c"], "line ends"),
            (["--header", "A\r\nEvil: c"], "name of a header"), (["--header", "A: b\u{0}c"], "control"),
            (["--user-agent", "A\nB"], "--user-agent"), (["--charset", "klingon"], "windows-1252"),
            (["-o", ""], "empty"), (["--variant", "huge"], "--variant: 'huge' is not a variant; use best"),
            (["--heal", "ftp://a.example/"], "--heal: 'ftp://a.example/' is not an address"),
            (["--frobnicate"], "frobnicate"),
        ])
    func nonsense(arguments: [String], word: String) {
        #expect(says(arguments, word))
    }

    @Test(
        "An address that cannot be fetched is refused",
        arguments: ["ftp://a.example/", "radio/live", "file:///etc/passwd", "", "http"])
    func badAddress(address: String) {
        let message = Self.refusal { try RecordCommand.parse([address]) }
        #expect(message?.contains("http://") == true, "\(message ?? "accepted")")
        #expect(Self.refusal { try ProbeCommand.parse([address]) } != nil)
    }

    @Test("An argument that may be a station's ID gets a hint to the running daemon") func stationID() {
        let recorded = Self.refusal { try RecordCommand.parse(["fip"]) }
        #expect(recorded?.contains("add --for 1h") == true, "\(recorded ?? "accepted")")
        #expect(Self.refusal { try RecordCommand.parse(["fip", "--for", "1h"]) } == nil)
        let played = Self.refusal { try PlayCommand.parse(["nosuch", "--socket", "/nonexistent/socket"]) }
        #expect(played?.contains("'nosuch' is neither a file or folder here nor an address") == true)
        #expect(played?.contains("of the running daemon") == true, "\(played ?? "accepted")")
        for name in ["nosuch.mp3", "music/nosuch"] {
            #expect(Self.refusal { try RecordCommand.parse([name]) }?.contains("--for") == false)
            #expect(Self.refusal { try PlayCommand.parse([name]) }?.contains("daemon") == false)
        }
    }

    @Test("A command without an address, or with too many, is refused") func addressCount() {
        #expect(Self.refusal { try RecordCommand.parse([]) } != nil)
        #expect(Self.refusal { try RecordCommand.parse(Array(repeating: url, count: 101)) } != nil)
        #expect(Self.refusal { try RecordCommand.parse(Array(repeating: url, count: 100)) } == nil)
        #expect(Self.refusal { try ProbeCommand.parse([url, url]) } != nil)
    }

    @Test("Wrong usage has its own exit status") func usageExitStatus() {
        for arguments in [["record"], ["record", url, "-d", "90"], ["nonsense"], ["record", url, "--header", "x"]] {
            do {
                _ = try Aircheck.parseAsRoot(arguments)
                Issue.record("\(arguments) was accepted")
            } catch {
                #expect(Aircheck.exitCode(for: error) == ExitStatus.usage.code)
            }
        }
    }

    @Test("Every setting that can be at fault has an option in the help, unless it is an argument")
    func optionOfSetting() {
        let commands: [any ParsableCommand.Type] = [RecordCommand.self, RelayCommand.self, PlayCommand.self]
        let help = commands.map { Aircheck.helpMessage(for: $0) }.joined()
        for field in SettingField.allCases {
            guard let option = field.option else { continue }
            #expect(help.contains(option), "\(field)")
        }
        #expect(SettingField.allCases.filter { $0.option == nil } == [.url, .source, .user])
    }

    @Test("Audio from a pipe cannot be repeated or shuffled") func pipe() {
        for option in [["--repeat", "all"], ["--repeat", "one"], ["--shuffle"]] {
            let message = Self.refusal { try PlayCommand.parse(["-"] + option) }
            #expect(message?.contains(option[0]) == true, "\(message ?? "accepted")")
        }
        #expect(Self.refusal { try PlayCommand.parse(["-"]) } == nil)
    }

    @Test("Wrong usage of play is reported as the end of a player") func playerUsage() {
        let failure = Failure(.usage, "no such option", remedy: "see the help")
        let report = UsageReport.object(failure, ["play", "--json"]).text(.compact)
        #expect(report.contains(#""ended":"error""#) && report.contains("no such option"), "\(report)")
    }

    @Test("A probe has its own time until it gives up") func probePatience() throws {
        let command = try ProbeCommand.parse([url, "--json", "--give-up", "3s"])
        #expect(command.json && command.giveUp.duration == .seconds(3))
        #expect(try ProbeCommand.parse([url]).giveUp.duration == .seconds(15))
    }

    @Test(
        "An option that a running daemon would ignore is refused",
        arguments: [
            ["--name", "%H"], ["--output", "x"], ["--segment", "1h"], ["--pure"], ["--duration", "1h"], ["--relay"],
            ["--play"], ["--level"], ["--as", "x"], ["--give-up", "10s"], ["--user-agent", "x"],
            ["--charset", "koi8-r"], ["--from-start"], ["--variant", "best"], ["--heal", "http://a.example/"],
            ["--listen", "127.0.0.1:8000"], ["--volume", "50"],
        ])
    func daemonOptions(option: [String]) {
        let error = #expect(throws: (any Error).self) {
            try RecordCommand.parse(["fip", "--for", "1h"] + option)
        }
        let text = error.map { RecordCommand.message(for: $0) } ?? ""
        #expect(text.contains(option[0]) && text.contains("cannot be combined with --for"), "\(text)")
    }

    @Test("A recording by a running daemon needs exactly one station and a time") func daemonRecording() throws {
        _ = try RecordCommand.parse(["fip", "--for", "1h", "--socket", "/run/x", "--json"])
        #expect(throws: (any Error).self) { try RecordCommand.parse(["fip", "nova", "--for", "1h"]) }
        #expect(throws: (any Error).self) { try RecordCommand.parse(["--for", "1h"]) }
    }

    @Test("Every option of relay is read") func relayOptions() throws {
        let options = [
            "--listen", "127.0.0.1:9000", "--listen", "[::1]:9000", "--mount", "jazz", "--burst", "2s", "--on-demand",
            "--rewind", "10m",
            "--linger", "10s", "--keep-listeners", "5m", "--max-listeners", "7", "--allow", "192.168.0.0/16", "--deny",
            "192.168.7.0/24", "--max-per-address", "3", "--connect-rate", "2", "--max-connections", "500",
            "--trusted-proxy", "10.0.0.0/8", "--host-name", "radio.example", "--name", "N", "--genre", "G",
            "--description", "D", "--homepage", "http://h/", "--bit-rate", "96", "--sample-rate", "48000",
            "--no-public",
        ]
        let session = try RelayCommand.parse([url] + options).session()
        let service = try #require(session.service)
        let spec = try #require(session.parts.first?.mount)
        #expect(service.addresses.map(\.description) == ["127.0.0.1:9000", "[::1]:9000"] && spec.path == "/jazz")
        let mount = spec.settings
        #expect(mount.burst == .seconds(2) && mount.longestOutage == .seconds(300) && mount.listeners == 7)
        #expect(mount.rewind == .seconds(600))
        #expect(mount.isOnDemand && spec.linger == .seconds(10))
        #expect(mount.rules.networks.allowed == [IPNetwork("192.168.0.0/16")])
        #expect(mount.rules.networks.denied == [IPNetwork("192.168.7.0/24")])
        #expect(service.limits.streamsPerAddress == 3 && service.limits.connections == 500)
        #expect(service.limits.connectRate == RateLimit(perSecond: 2, burst: 10))
        #expect(
            service.limits.trustedProxies == [IPNetwork("10.0.0.0/8")] && service.hostNames.contains("radio.example"))
        let fields = mount.fields
        #expect(fields.name == "N" && fields.genre == "G")
        #expect(fields.description == "D" && fields.homepage == "http://h/")
        #expect(fields.bitRate == 96 && fields.sampleRate == 48_000 && fields.isPublic == false)
        let plain = try RelayCommand.parse([url]).session()
        let usual = try #require(plain.parts.first?.mount)
        #expect(plain.service?.addresses.map(\.description) == ["127.0.0.1:8000"] && usual.path == "/live")
        #expect(usual.settings.burst == .seconds(4) && !usual.settings.isOnDemand)
        #expect(plain.service?.limits.connections == nil)
        #expect(usual.settings.fields == StationFields.Overrides() && usual.settings.rules.users == nil)
    }

    @Test("The fallback and filler of a relay are those of the options") func fallback() throws {
        let plain = try RelayCommand.parse([url]).session()
        #expect(plain.fallback == nil && plain.parts.first?.mount?.settings.hasFiller == true)
        guard case .media(let plan, _)? = try RelayCommand.parse([url, "--fallback", "/tmp"]).session().fallback
        else { throw SetupError("no files") }
        #expect(plan.repeats && plan.shuffleSeed == nil)
        let other = ["--header", "X-Token: secret", "--fallback", "http://b.example/live"]
        guard case .station(let settings)? = try RelayCommand.parse([url] + other).session().fallback
        else { throw SetupError("no station") }
        // The `--header` fields are sent to the station only, not to the fallback, and a fallback is never given up.
        #expect(settings.urls == ["http://b.example/live"] && settings.headers.isEmpty && settings.giveUp == nil)
        let bare = try RelayCommand.parse([url, "--no-filler"]).session()
        #expect(bare.parts.first?.mount?.settings.hasFiller == false)
        for options in [
            ["--fallback", "-"], ["--fallback", "/nowhere.mp3"], ["--fallback", "ftp://b.example/"],
            ["--fallback", "http://127.0.0.1:8000/live"], ["--fallback", "/tmp", "--no-filler"],
        ] {
            #expect(Self.refusal { try RelayCommand.parse([url] + options) } != nil, "\(options)")
        }
    }

    @Test("Files are repeated and shuffled as the options say", arguments: ["--shuffle", "--once"])
    func playOrder(option: String) throws {
        guard case .media(let plan, _)? = try RelayCommand.parse(["/tmp", option]).session().parts.first?.programme
        else { throw SetupError("no files") }
        #expect((plan.shuffleSeed != nil) == (option == "--shuffle") && plan.repeats == (option != "--once"))
    }

    @Test(
        "A number that makes no sense as a limit is refused",
        arguments: ["--max-listeners", "--max-per-address", "--connect-rate", "--max-connections"])
    func absurdNumbers(option: String) {
        // 0 is valid for `--max-per-address`: then one address may have any number of connections.
        let isRefused = Self.refusal { try RelayCommand.parse([url, "\(option)=0"]) } != nil
        #expect(isRefused == (option != "--max-per-address"))
        for number in ["-1", "\(Int.max)", "\(Int.min)", "2000000000000000000", "1000000001", "1.5", "many", ""] {
            #expect(Self.refusal { try RelayCommand.parse([url, "\(option)=\(number)"]) } != nil, "\(number)")
        }
        for number in ["1", "1000000000"] {
            #expect(Self.refusal { try RelayCommand.parse([url, option, number]) } == nil, "\(number)")
        }
    }

    @Test(
        "A relay of its own address is refused",
        arguments: [
            ("http://127.0.0.1:8000/live", []), ("http://localhost:8000/", []), ("HTTP://LocalHost:8000", []),
            ("http://anna:secret@127.0.0.1:8000/live", []), ("http://0.0.0.0:8000/live", []),
            ("http://127.0.0.1/live", ["127.0.0.1:80"]), ("https://127.0.0.1/live", ["127.0.0.1:443"]),
            ("http://127.0.0.1:8000/live", ["0.0.0.0:8000"]), ("http://0.0.0.0:8000/live", ["0.0.0.0:8000"]),
            ("http://[::1]:8000/live", ["[::]:8000"]), ("http://[::1]/live", ["[::1]:80"]),
            ("http://192.0.2.1:8000/", ["127.0.0.1:9000", "192.0.2.1:8000"]),
        ])
    func ownAddress(address: String, listeners: [String]) {
        let options = listeners.flatMap { ["--listen", $0] }
        let message = Self.refusal { try RelayCommand.parse([url, address] + options) } ?? "accepted"
        #expect(message.contains("--listen") && !message.contains("secret"), "\(message)")
    }

    @Test(
        "Another program on this machine, or on another one, can be relayed",
        arguments: [
            ("http://127.0.0.1:8001/live", []), ("http://127.0.0.1:8000/live", ["127.0.0.1:8001"]),
            ("http://127.0.0.1:8000/live", ["192.0.2.1:8000"]), ("http://127.0.0.1:8000/live", ["[::]:8000"]),
            ("http://192.0.2.1:8000/live", ["0.0.0.0:8000"]), ("http://radio.example:8000/live", ["0.0.0.0:8000"]),
            ("http://127.0.0.1:0/live", ["127.0.0.1:0"]), ("http://127.0.0.1/live", []), ("http://:8000/", []),
        ])
    func otherProgram(address: String, listeners: [String]) {
        let options = listeners.flatMap { ["--listen", $0] }
        #expect(Self.refusal { try RelayCommand.parse([address] + options) } == nil)
    }

    /// Whether `record` refuses these arguments with a message that holds the word.
    private func says(_ arguments: [String], _ word: String) -> Bool {
        guard let message = Self.refusal({ try RecordCommand.parse([url] + arguments) }) else { return false }
        return message.contains(word)
    }

    private static func refusal<Command: ParsableCommand>(_ parse: () throws -> Command) -> String? {
        do {
            _ = try parse()
            return nil
        } catch {
            return Command.message(for: error)
        }
    }
}
