// SPDX-License-Identifier: MIT

import Foundation
import Instants
import RadioFormats
import TestSupport
import TestTools
import Testing

/// The daemon, from outside.
struct ServeTests {
    private static let shape = MPEGShape(128)
    private static let programme = Broadcast([.music(.seconds(150))], shape)

    private static func origin() throws -> ScriptedOrigin {
        try ScriptedOrigin(LiveScript(.stream(LiveStream(programme))))
    }

    @Test("A daemon records, relays, answers, reloads without losing a frame, and ends properly")
    func life() async throws {
        let origin = try Self.origin()
        let stays = Serving.station("fip", origin.url("/fip"), "record = \"always\"")
        let serving = try await Serving.started(stays + Serving.station("nova", origin.url("/nova")))
        // Wait for the audio, because without audio the mount answers 503.
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains("recording to") })
        let listener = try ChildProcess(.curl, ["-sNf", "http://127.0.0.1:\(serving.port)/fip"])
        #expect(try await waitUntil(.seconds(30)) { !listener.outputSoFar.isEmpty })

        // A second daemon for the same folders is refused, and so is a wrong configuration.
        let second = try await Aircheck.run(["serve", "--config", serving.folder.file("config.toml")])
        #expect(second.ending == .exited(78) && second.standardError.contains("another 'aircheck serve'"))
        let other = "[storage]\nstate = \"other\"\n" + Serving.station("x", origin.url("/x"))
        try serving.folder.write("other.toml", other)
        let third = try await Aircheck.run(["serve", "--config", serving.folder.file("other.toml")])
        #expect(third.ending == .exited(78) && third.standardError.contains(serving.folder.file("state")), "\(third)")
        try serving.configure(stays + "[[station]]\nid = \"x\"\nurl = 5\n")
        let refused = try await serving.ask(["reload"])
        #expect(refused.ending == .exited(78) && refused.standardError.contains("config.toml:"), "\(refused)")
        let check = try await Aircheck.run(["check", "--config", serving.folder.file("config.toml")])
        #expect(check.ending == .exited(78) && check.standardError.contains("station[2].url"), "\(check)")

        #expect(try await serving.ask(["record", "fip", "--for", "1h"]).succeeded)
        #expect(
            try await waitUntil(.seconds(30)) { serving.log.split(separator: "recording to").count > 2 },
            "\(serving.log)")

        // Reloads leave an unchanged station alone.
        for round in 0..<5 {
            try serving.configure(
                stays + Serving.station("other\(round)", origin.url("/\(round)"), "record = \"always\""))
            #expect(try await serving.ask(["reload"]).succeeded)
        }
        // A reload of the access rules does not close listeners either.
        try serving.configure(
            stays + Serving.station("other4", origin.url("/4"), "record = \"always\""),
            server: "deny = [\"192.0.2.1\"]")
        #expect(try await serving.ask(["reload"]).succeeded)
        serving.process?.signal(SIGHUP)
        #expect(try await waitUntil(.seconds(20)) { serving.log.contains("no station has changed") })
        let status = try await serving.object(["status"])
        let stations = try #require(status["stations"]?.arrayValue)
        #expect(stations.map { $0["id"]?.stringValue } == ["fip", "other4"])
        #expect(stations[0]["listeners"]?.integerValue == 1 && stations[0]["state"]?.stringValue == "live")
        #expect(try await serving.ask(["record", "nowhere", "--for", "1h"]).ending != .exited(0))
        let metrics = try await ChildProcess(.curl, ["-s", "http://127.0.0.1:\(serving.port)/metrics"]).outcome(
            within: .seconds(20)
        ).text
        #expect(
            metrics.contains("aircheck_listeners{station=\"fip\"} 1") && metrics.contains("aircheck_loop_lag_seconds"))
        listener.terminate()

        let outcome = try await serving.stop()
        #expect(outcome.ending == .exited(0) && outcome.standardError.contains("notice: stopped"), "\(outcome)")
        let checker = FrameChecker(Self.programme)
        let heard = checker.check([Array(listener.outputSoFar)])
        #expect(heard.foreign == 0 && heard.lost.isEmpty && heard.duplicated.isEmpty, "\(heard)")
        let files = serving.files.filter { $0.contains("/fip ") }
        #expect(files.count == 2 && files.allSatisfy { $0.hasSuffix(".mp3") }, "\(serving.files)")
        for file in files { #expect(checker.check([try serving.folder.read(file)]).isExact) }
        #expect(origin.log.accepts.count == 7, "one connection for each station, and no more")
    }

    @Test("A reload that moves a folder is refused as a whole", arguments: ["recordings", "state"])
    func movedFolder(_ key: String) async throws {
        let origin = try Self.origin()
        let stays = Serving.station("fip", origin.url("/fip"), "record = \"always\"")
        let serving = try await Serving.started(stays)
        #expect(try await waitUntil(.seconds(30)) { serving.files.count == 1 })
        try serving.configure(
            "[storage]\n\(key) = \"elsewhere\"\n" + stays + Serving.station("nova", origin.url("/nova")))
        let refused = try await serving.ask(["reload"])
        #expect(!refused.succeeded && refused.standardError.contains("cannot change while Aircheck runs"), "\(refused)")
        #expect(try await waitUntil(.seconds(10)) { serving.log.contains("the new configuration is not used") })
        let stations = try #require(try await serving.object(["status"])["stations"]?.arrayValue)
        #expect(stations.map { $0["id"]?.stringValue } == ["fip"])
        #expect(try await serving.stop().ending == .exited(0))
        #expect(serving.files.count == 1 && serving.folder.names(in: "elsewhere").isEmpty, "\(serving.files)")
        for file in serving.files {
            #expect(FrameChecker(Self.programme).check([try serving.folder.read(file)]).isExact)
        }
    }

    @Test("A daemon that is killed repeatedly loses at most a second each time, and its catalog is right")
    func killed() async throws {
        let origin = try Self.origin()
        let ids = ["a", "b", "c", "d"]
        let serving = try Serving(
            ids.map { Serving.station($0, origin.url("/\($0)"), "record = \"always\"\nrelay = false") }.joined())
        var ends: [Double] = []
        for wait in [2_600, 4_100, 3_300] {
            try await serving.start()
            let began = origin.programmeTime()
            // The first file begins only when the air time of its first frame is known.
            #expect(
                try await waitUntil(.seconds(30)) { ids.allSatisfy { serving.log.contains("[\($0)] recording to") } })
            _ = try await waitUntil(.seconds(10)) { origin.programmeTime() - began > .milliseconds(wait) }
            ends.append(origin.programmeTime().inSeconds)
            try await serving.kill()
        }
        try await serving.start()
        #expect(try await waitUntil(.seconds(30)) { serving.log.ranges(of: "earlier run had left").count == 4 })
        #expect(try await waitUntil(.seconds(30)) { ids.allSatisfy { serving.log.contains("[\($0)] recording to") } })
        _ = try await serving.ask(["recordings", "rescan"])
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains("catalog has been rebuilt") })
        let listed = try #require(try await serving.object(["recordings"])["recordings"]?.arrayValue)
        #expect(try await serving.stop().ending == .exited(0))

        let checker = FrameChecker(Self.programme)
        for id in ids {
            let files = serving.files.filter { $0.contains("/\(id) ") }
            #expect(files.count == 4 && files.allSatisfy { $0.hasSuffix(".mp3") }, "\(files)")
            for (file, end) in zip(files, ends) {
                let frames = checker.check([try serving.folder.read(file)])
                let last = Double((frames.last ?? 0) + 1) * 1152 / Double(Self.shape.sampleRate)
                #expect(frames.isExact && end - last < 1.2, "\(file): ends at \(last) of \(end), \(frames)")
            }
        }
        let interrupted = listed.filter { $0["state"]?.stringValue == "interrupted" }
        #expect(listed.count == 16 && interrupted.count == 12)
        for recording in interrupted {
            let detail = try serving.sidecars().filter { $0["recording"]?.stringValue == recording["id"]?.stringValue }
            #expect(detail.count == 1 && detail[0]["frames"]?.integerValue == recording["frames"]?.integerValue)
        }
    }
}

extension Serving {
    /// All sidecars.
    func sidecars() throws -> [JSONValue] {
        try folder.names(in: "recordings").filter { $0.hasSuffix(".json") }.map {
            try JSONValue(parsing: try folder.read("recordings/\($0)"), limit: 8 << 20)
        }
    }
}
