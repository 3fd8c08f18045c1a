// SPDX-License-Identifier: MIT

import Instants
import TestSupport
import TestTools
import Testing

/// Recording and listening at the same time, from one connection.
struct TogetherTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private struct Together: Decodable {
        struct Relay: Decodable {
            struct Mount: Decodable {
                let joins: Int?
            }
            let urls: [String]
            let seconds: Double
            let error: Report.Failure?
        }
        let files: [String]
        let frames: Int
        let reconnects: Int
        let gaps: [Report.Gap]
        let error: Report.Failure?
        let relay: Relay
    }

    private struct Stations: Decodable {
        struct Station: Decodable {
            let name: String
            let files: [String]
            let frames: Int
            let relay: Together.Relay?
            let error: Report.Failure?
        }
        let stations: [Station]
        let error: Report.Failure?
    }

    /// The test takes less than half of the minute that `make soak` spends on the same case.
    @Test("A connection that is cut every 8 s is recorded, heard by a hundred listeners, and played without a loss")
    func cuts() async throws {
        let studio = try await Studio(faults: [.inFrame(after: .seconds(8), .reset)])
        let (server, monitor) = try await heardServer()
        let child = try Aircheck.start(
            ["record", studio.origin.url("/studio"), "--relay", "--listen", "127.0.0.1:0", "--output", folder.path]
                + ["--name", "radio", "--pure", "--as", "My Radio", "--duration", "24s", "--play", "--json"],
            environment: server.environment)
        let relay = try await Relaying(child)
        try await relay.waitForAudio()
        #expect(try await relay.status().mounts.map(\.name) == ["My Radio"])
        let audience = try await onThread { try Audience(100, port: relay.port) }
        #expect(try await audience.hasHeard(bytes: 20 * 16_000, within: .seconds(60)))
        let heard = try await audience.leave()
        let outcome = try await child.outcome(within: .seconds(60))
        #expect(outcome.succeeded, "\(outcome.ending) \(outcome.standardError)")
        let report = try outcome.json(Together.self)
        #expect(report.reconnects >= 2 && report.gaps.isEmpty && report.error == nil && report.relay.error == nil)
        #expect(report.relay.urls.count == 1)
        // The full hour may begin another file.
        let recorded = try report.files.flatMap(bytes(ofFile:))
        let stretch = try #require(studio.expectStretch(recorded, seconds: 24))
        #expect(stretch.count == report.frames)
        for member in heard { #expect(studio.isStretch(member.body), "\(member.body.count) bytes") }
        for channel in 0..<2 {
            let reference = try await Decoded.channel(channel, of: studio.programme.bytes)
            try await Decoded.expect(monitor.channel(channel), in: reference, seconds: 20, "\(channel)")
        }
        #expect(studio.origin.log.mostOpen == 1)
    }

    @Test("Several stations are recorded and served by one process") func severalStations() async throws {
        let first = try await Studio()
        let second = try await Studio()
        let child = try Aircheck.start(
            ["record", "--station", "Radio One=\(first.origin.url("/studio"))"]
                + ["--station", "Two=\(second.origin.url("/studio"))", "--relay", "--listen", "127.0.0.1:0"]
                + ["--output", folder.path, "--name", "{station}", "--pure", "--json"])
        let relay = try await Relaying(child)
        #expect(relay.urls.map { $0.suffix(4) } == ["-one", "/two"])
        try await relay.waitForAudio(at: "/radio-one")
        try await relay.waitForAudio(at: "/two")
        #expect(child.errorSoFar.contains("[Radio One] connected to Radio One"))
        let outcome = try await relay.stop()
        #expect(outcome.succeeded, "\(outcome.ending) \(outcome.standardError)")
        let report = try outcome.json(Stations.self)
        #expect(report.stations.map(\.name) == ["Radio One", "Two"] && report.error == nil)
        for (station, studio) in zip(report.stations, [first, second]) {
            let recorded = try station.files.flatMap(bytes(ofFile:))
            #expect(station.relay?.error == nil)
            studio.expectStretch(recorded, seconds: 1)
        }
        #expect(report.stations.map { $0.files.first?.hasSuffix("/\($0.name).mp3") } == [true, true])
        #expect(first.origin.log.accepts.count == 1 && second.origin.log.accepts.count == 1)
    }

    @Test("A recording of several stations ends in time, even if one of them is dead") func oneDead() async throws {
        let studio = try await Studio()
        let dead = try ScriptedOrigin([.request, .close])
        let began = MonotonicInstant.now
        let outcome = try await Aircheck.run(
            ["record", "--station", "Dead=\(dead.url())", "--station", "Live=\(studio.origin.url("/studio"))"]
                + ["--duration", "3s", "--give-up", "10m", "--output", folder.path, "--json"])
        #expect(outcome.endedAt - began < .seconds(30))
        #expect(outcome.ending == .exited(69), "\(outcome.standardError)")
        let report = try outcome.json(Stations.self)
        #expect(report.stations.map { $0.error?.class } == ["dropped", nil], "\(outcome.standardError)")
        #expect(report.error?.class == "dropped" && report.stations[0].frames == 0)
        studio.expectStretch(try report.stations[1].files.flatMap(bytes(ofFile:)), seconds: 3)
    }

    @Test("A pipe is relayed and recorded") func pipe() async throws {
        let reference = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 6, usesReservoir: false))
        let source = try folder.write("source.mp3", reference.bytes)
        let relay = try await Relaying(
            try ChildProcess(
                "/bin/sh",
                [
                    "-c", "\"$0\" relay - --record --listen 127.0.0.1:0 -o \"$1\" --as Pipe --json < \"$2\"",
                    try aircheckBinary(), folder.file("out"), source,
                ]))
        let outcome = try await relay.process.outcome(within: .seconds(60))
        #expect(outcome.succeeded, "\(outcome.ending) \(outcome.standardError)")
        let report = try outcome.json(Together.self)
        let found = try reference.checker().check(try report.files.map(bytes(ofFile:)))
        #expect(found.isExact && found.places.count == report.frames && report.frames > 200, "\(found)")
        #expect(report.files[0].contains("/Pipe "))
    }
}
