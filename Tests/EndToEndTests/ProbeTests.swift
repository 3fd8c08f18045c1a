// SPDX-License-Identifier: MIT

import Instants
import TestSupport
import TestTools
import Testing

struct ProbeTests {
    private struct Station: Decodable {
        let url: String?
        let name: String?
        let server: String?
        let codec: String?
        let mpegVersion: String?
        let layer: Int?
        let sampleRate: Int?
        let channels: Int?
        let bitRate: Int?
        let bitRateMode: String?
        let title: String?
        let burst: Double?
        let playlists: [String]
        let error: Report.Failure?
    }

    /// A programme, and what a probe must find out about it.
    struct Case: Sendable, CustomTestStringConvertible {
        let parameters: ReferenceProgramme.Parameters
        let codec: String
        let layer: Int?
        let mode: String?
        var testDescription: String { "\(parameters.encoding)" }
    }

    @Test(
        "A probe measures the properties of a station",
        arguments: [
            Case(parameters: .init(.mp3(128)), codec: "mp3", layer: 3, mode: "CBR"),
            Case(parameters: .init(.mp3Variable(quality: 4)), codec: "mp3", layer: 3, mode: "ABR"),
            Case(parameters: .init(.mp2(192), sampleRate: 48_000), codec: "mp2", layer: 2, mode: "CBR"),
            Case(parameters: .init(.aac(96)), codec: "aac", layer: nil, mode: nil),
            Case(parameters: .init(.opus(96), sampleRate: 48_000), codec: "opus", layer: nil, mode: nil),
        ])
    func station(_ expected: Case) async throws {
        let programme = try await ReferenceProgramme.make(expected.parameters)
        let checker = try programme.checker()
        let server = try await onThread { try IcecastServer(burst: 8192) }
        let feeder = try await Feeder.start(programme, to: server, mount: "/radio")
        if expected.codec != "opus" { try await onThread { try server.setTitle("Probe - Me", of: "/radio") } }
        let outcome = try await Aircheck.run(["probe", server.url("/radio"), "--json"])
        #expect(outcome.ending == .exited(0), "\(outcome.standardError)")
        let station = try outcome.json(Station.self)
        let lines = try await Aircheck.run(["probe", server.url("/radio")]).text
        try await onThread { try feeder.stop() }

        #expect(station.error == nil && station.url == server.url("/radio") && station.name == "Reference")
        #expect(station.server?.hasPrefix("Icecast 2.4") == true)
        #expect(station.codec == expected.codec && station.layer == expected.layer)
        #expect(station.sampleRate == expected.parameters.sampleRate && station.channels == 2)
        #expect(expected.mode == nil || station.bitRateMode == expected.mode, "\(station)")
        let rate = 8 * checker.frames.reduce(0) { $0 + $1.count } / expected.parameters.seconds
        #expect(abs((station.bitRate ?? 0) - rate) < rate / 10, "\(station) and \(rate)")
        let burst = 8192 * 8 / Double(rate)
        #expect(abs((station.burst ?? 0) - burst) < 1 + burst / 4, "\(station) and \(burst)")
        #expect(expected.codec == "opus" || station.title == "Probe - Me")
        #expect(lines.contains("Reference") && lines.contains("\(expected.parameters.sampleRate) Hz"), "\(lines)")
    }

    @Test("Where nothing listens, a probe fails at once and says so once")
    func refused() async throws {
        let port = try ClosedPort()
        let begin = MonotonicInstant.now
        let outcome = try await Aircheck.run(["probe", "127.0.0.1:\(port.number)/live", "--give-up", "40s"])
        #expect(outcome.endedAt - begin < .seconds(10) && outcome.ending == .exited(69))
        let lines = outcome.standardError.split(separator: "\n")
        #expect(lines.count == 1 && lines.first?.contains("refused") == true, "\(outcome.standardError)")
    }

    @Test("A probe says what it waits for")
    func waiting() async throws {
        let origin = try ScriptedOrigin([.request, .icyHead(), .stall(Gate())])
        let outcome = try await Aircheck.run(["probe", origin.url(), "--give-up", "4s"])
        #expect(outcome.standardError.contains("waiting for audio …"), "\(outcome.standardError)")
        let quiet = try await Aircheck.run(["probe", origin.url(), "--give-up", "3s", "-q"])
        #expect(quiet.standardError.split(separator: "\n").count == 1, "\(quiet.standardError)")
    }

    @Test("A probe follows playlists and lists them, and a failing probe exits as a recording does")
    func playlistAndFailure() async throws {
        let programme = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 20, seed: 3))
        let origin = try ScriptedOrigin([
            .request,
            .byPath([
                "/list.m3u": [.text("#EXTM3U\n/radio\n", type: "audio/x-mpegurl")],
                "/radio": [.icyHead(name: "Scripted"), .send(programme.bytes), .stall(Gate())],
            ]),
        ])
        let outcome = try await Aircheck.run(["probe", origin.url("/list.m3u"), "--json"])
        let station = try outcome.json(Station.self)
        #expect(station.url == origin.url("/radio") && station.playlists == [origin.url("/list.m3u")])

        let failure = try await Aircheck.run(["probe", origin.url("/missing"), "--json", "--give-up", "1s"])
        #expect(failure.ending == .exited(69))
        let missing = try failure.json(Station.self)
        #expect(missing.error?.class == "not-found")
    }
}
