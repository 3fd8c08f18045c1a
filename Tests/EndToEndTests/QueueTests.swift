// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import TestTools
import Testing

/// Queues of files, as people play them from the command line.
@Suite("Queues from the command line")
struct QueueTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("aircheck-queue") }

    /// The environment variables that name a sound server and the place where positions are kept.
    private func environment(_ server: PulseServer) -> [String: String] {
        server.environment.merging(["XDG_STATE_HOME": folder.file("state"), "HOME": folder.file("home")]) { $1 }
    }

    private func start() async throws -> PulseServer { try await onThread { try PulseServer() } }

    /// Makes a folder of tones: `1.mp3` and so on.
    private func makeTones(_ count: Int, seconds: Double) async throws -> String {
        try FileManager.default.createDirectory(atPath: folder.file("tones"), withIntermediateDirectories: true)
        for number in 1...count {
            _ = try await make("tones/\(number).mp3", seconds: seconds, frequency: 200 + 50 * number)
        }
        return folder.file("tones")
    }

    private func make(_ name: String, seconds: Double, frequency: Int = 440) async throws -> String {
        let child = try ChildProcess(
            .ffmpeg,
            ["-v", "error", "-f", "lavfi", "-i", "sine=frequency=\(frequency):duration=\(seconds)", folder.file(name)])
        #expect(try await child.outcome(within: .seconds(30)).succeeded)
        return folder.file(name)
    }

    /// A server of `file.mp3`, and the samples of the file.
    private func web(seconds: Int, options: String) async throws -> (NginxServer, [Float]) {
        let reference = try await ReferenceProgramme.make(.init(.mp3(128), seconds: seconds, usesReservoir: false))
        try folder.write("file.mp3", reference.bytes)
        let server = try await onThread { [folder] in try NginxServer(serving: folder.path, options: options) }
        return (server, try await Decoded.channel(of: reference.bytes))
    }

    // MARK: - Sound

    @Test("A web file that is cut at least twice is played whole, each sample once")
    func cut() async throws {
        let (web, decoded) = try await web(seconds: 12, options: "limit_rate 30k; limit_rate_after 20k;")
        let relay = try TroubledRelay(to: web.port, after: .milliseconds(1_200), .reset)
        let (server, monitor) = try await heardServer()
        let outcome = try await Aircheck.run(
            ["play", "http://127.0.0.1:\(relay.port)/file.mp3", "--json"], environment: environment(server))
        #expect(outcome.succeeded, "\(outcome.ending) \(outcome.standardError)")
        #expect(relay.faults >= 2)
        let report = try outcome.json(Played.self)
        #expect(report.items?.map(\.ended) == ["end"] && report.error == nil)
        #expect(abs(report.seconds - 12) < 0.1, "\(report.seconds)")
        try await Decoded.expect(monitor.channel(0), in: decoded, seconds: 12)
    }

    @Test("A web file that is slower than real time is waited for at first, and played without a break")
    func slow() async throws {
        // The file plays at 16 kB/s, and the server sends it more slowly.
        let (web, decoded) = try await web(seconds: 8, options: "limit_rate 11k; limit_rate_after 1k;")
        let (server, monitor) = try await heardServer()
        let outcome = try await Aircheck.run(
            ["play", "http://127.0.0.1:\(web.port)/file.mp3", "--json"], environment: environment(server))
        #expect(outcome.succeeded, "\(outcome.ending) \(outcome.standardError)")
        let report = try outcome.json(Played.self)
        #expect(report.items?.map(\.ended) == ["end"] && report.breaks == 0 && report.error == nil)
        try await Decoded.expect(monitor.channel(0), in: decoded, seconds: 8)
    }

    @Test("The last buffer is played, even of a file of 100 ms", arguments: ["short.mp3", "short.opus", "short.flac"])
    func short(name: String) async throws {
        let file = try await make(name, seconds: 0.1)
        let (server, monitor) = try await heardServer()
        let outcome = try await Aircheck.run(["play", file], environment: environment(server))
        #expect(outcome.succeeded, "\(outcome.ending) \(outcome.standardError)")
        let heard = monitor.channel(0)
        let loud = heard.indices.filter { abs(heard[$0]) > 0.005 }
        let length = try #require(loud.last) - (try #require(loud.first))
        // The file lasts 100 ms, of which the fades hide a part.
        #expect((3_500...4_700).contains(length), "\(length)")
    }

    // MARK: - Order

    @Test("A shuffled folder is played whole, in another order")
    func shuffled() async throws {
        let tones = try await makeTones(10, seconds: 0.2)
        let server = try await start()
        let outcome = try await Aircheck.run(
            ["play", tones, "--shuffle", "--json"], environment: environment(server))
        #expect(outcome.succeeded, "\(outcome.ending) \(outcome.standardError)")
        let titles = try #require(try outcome.json(Played.self).items).map { $0.title ?? "" }
        let natural = (1...10).map { "\($0)" }
        #expect(titles.sorted() == natural.sorted() && titles != natural, "\(titles)")
    }

    @Test("One item, or all items, are repeated until the user stops", arguments: ["one", "all"])
    func repeated(what: String) async throws {
        let tones = try await makeTones(2, seconds: 0.4)
        let server = try await start()
        let child = try Aircheck.start(
            ["play", tones, "--repeat", what, "--json"], environment: environment(server))
        let began = try await waitUntil(.seconds(30)) {
            child.errorSoFar.components(separatedBy: "playing ").count > 5
        }
        #expect(began, "\(child.errorSoFar)")
        let outcome = try await child.outcome(after: SIGINT, within: .seconds(20))
        let report = try outcome.json(Played.self)
        let items = try #require(report.items)
        #expect(outcome.succeeded && report.ended == "user" && items.count >= 5)
        let wanted = (0..<items.count).map { what == "one" || $0 % 2 == 0 ? "1" : "2" }
        #expect(items.map { $0.title ?? "" } == wanted)
        #expect(items.dropLast().allSatisfy { $0.ended == "end" } && items.last?.ended == "stopped")
    }

    @Test("Items that cannot be played are skipped, and without a playable one the status is 69")
    func failing() async throws {
        let good = try await make("good.mp3", seconds: 0.4)
        try folder.write("bad.mp3", "this is no audio\n")
        let server = try await start()
        let some = try await Aircheck.run(
            ["play", folder.file("bad.mp3"), good, "--json"], environment: environment(server))
        #expect(some.succeeded && some.standardError.contains("bad.mp3: it is not audio"), "\(some.standardError)")
        #expect(try some.json(Played.self).items?.map(\.ended) == ["error", "end"])
        let none = try await Aircheck.run(["play", folder.file("bad.mp3")], environment: environment(server))
        #expect(none.ending == .exited(69))
        #expect(none.standardError.components(separatedBy: "it is not audio").count == 2, "\(none.standardError)")
    }

    @Test("Without ffmpeg AAC items are skipped, and an AAC item alone is a failure")
    func undecodable() async throws {
        let tones = try await makeTones(2, seconds: 0.6)
        let audio = try await make("audio.aac", seconds: 3)
        let server = try await start()
        let environment = environment(server).merging(["PATH": folder.path]) { $1 }
        let some = try await Aircheck.run(
            ["play", tones + "/1.mp3", audio, tones + "/2.mp3", "--json"], environment: environment)
        #expect(some.succeeded, "\(some.ending) \(some.standardError)")
        let items = try #require(try some.json(Played.self).items)
        #expect(items.map(\.ended) == ["end", "error", "end"])
        #expect(abs(items[0].seconds - 0.6) < 0.1 && abs(items[2].seconds - 0.6) < 0.1, "\(items)")
        #expect(some.standardError.components(separatedBy: "needs ffmpeg").count == 2, "\(some.standardError)")
        #expect(!some.standardError.contains("playing audio"), "\(some.standardError)")
        let none = try await Aircheck.run(["play", audio], environment: environment)
        #expect(none.ending == .exited(69))
        #expect(none.standardError.components(separatedBy: "needs ffmpeg").count == 2, "\(none.standardError)")
    }

    @Test("A web file whose server stays down is given up with status 69")
    func away() async throws {
        let path = try await make("file.mp3", seconds: 8)
        let audio = try bytes(ofFile: path)
        let head = OriginScript.Step.fileHead(audio.count)
        let origin = try ScriptedOrigin(
            [.request, head, .send(Array(audio.prefix(20_000)))], [.request, .failure(503, "Busy")])
        let server = try await start()
        let outcome = try await Aircheck.run(
            ["play", origin.url("/file.mp3"), "--give-up", "2s", "--json"], environment: environment(server))
        #expect(outcome.ending == .exited(69), "\(outcome.ending) \(outcome.standardError)")
        let report = try outcome.json(Played.self)
        #expect(report.items?.map(\.ended) == ["error"] && report.error?.class == "server-busy")
        #expect((report.items?.first?.seconds ?? 0) > 1)
    }

    // MARK: - Positions

    /// Writes a position of 40 s for a file, as an earlier run that ended there leaves it.
    private func leave(_ path: String, in state: String) throws {
        let size = try bytes(ofFile: path).count
        let folder = self.folder.file(state) + "/aircheck"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let whole = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let entry =
            "{\"key\":\"file:\(size):\(whole)\",\"seconds\":40,\"length\":660,\"left\":\"2026-01-01T00:00:00Z\"}"
        try self.folder.write("\(state)/aircheck/positions.json", "{\"version\":1,\"positions\":[\(entry)]}")
    }

    /// Plays for a moment, and returns the messages.
    private func listen(_ arguments: [String], _ environment: [String: String]) async throws -> String {
        let child = try Aircheck.start(["play"] + arguments, environment: environment)
        #expect(try await waitUntil(.seconds(20)) { child.errorSoFar.contains("playing ") }, "\(child.errorSoFar)")
        let outcome = try await child.outcome(after: SIGINT, within: .seconds(20))
        #expect(outcome.succeeded, "\(outcome.standardError)")
        return outcome.standardError
    }

    @Test("The items of a folder are listed with their numbers, without sound, and one of them is played by its number")
    func list() async throws {
        let tones = try await makeTones(3, seconds: 0.5)
        let state = ["XDG_STATE_HOME": folder.file("state"), "PULSE_SERVER": "unix:/nowhere"]
        let lines = try await Aircheck.run(["play", "--list", tones], environment: state)
        #expect(lines.succeeded && lines.text == "> 1  1\n  2  2\n  3  3\n", "\(lines.text)")
        struct Listed: Decodable {
            struct Item: Decodable { let number: Int, source: String, next: Bool, heard: Bool }
            let items: [Item]
        }
        let listed = try await Aircheck.run(["play", "--list", "--json", tones], environment: state).json(Listed.self)
        #expect(listed.items.map(\.number) == [1, 2, 3] && listed.items.map(\.next) == [true, false, false])
        let server = try await start()
        let third = try await Aircheck.run(["play", tones, "--item", "3", "--json"], environment: environment(server))
        #expect(try third.json(Played.self).items?.map(\.title) == ["3"])
        let fourth = try await Aircheck.run(["play", tones, "--item", "4"], environment: environment(server))
        #expect(fourth.ending == .exited(69) && fourth.standardError.contains("there is no item 4"))
    }

    @Test("An item resumes at its saved position, unless --from-start is given")
    func positions() async throws {
        // Songs begin at their beginning, so the file has to be long.
        let minute = try bytes(ofFile: try await make("minute.mp3", seconds: 60))
        let path = try folder.write("long.mp3", (0..<11).flatMap { _ in minute })
        let server = try await start()
        var environment = environment(server)
        try leave(path, in: "state")
        #expect(try await listen([path], environment).contains("playing long, from 0:40"))
        // A later position has replaced the one from 2026-01-01.
        let written = String(decoding: try bytes(ofFile: folder.file("state/aircheck/positions.json")), as: UTF8.self)
        #expect(written.contains("long.mp3") && !written.contains("2026-01-01"), "\(written)")
        #expect(try await !listen([path, "--from-start"], environment).contains("from 0:"))
        // A relative path in the variable is ignored.
        environment["XDG_STATE_HOME"] = "state"
        try leave(path, in: "home/.local/state")
        #expect(try await listen([path], environment).contains("playing long, from 0:40"))
    }
}
