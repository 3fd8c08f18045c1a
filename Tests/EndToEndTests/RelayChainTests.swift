// SPDX-License-Identifier: MIT

import Instants
import TestSupport
import TestTools
import Testing

/// Trees of relays: what goes wrong at the root is not heard in the leaves.
struct RelayChainTests {
    private static let seconds = 42.0

    @Test("A1: A chain of Aircheck and Icecast relays that is cut every 8 s delivers every frame once")
    func icecast() async throws {
        let programme = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 120, usesReservoir: false))
        let studio = try await onThread { try IcecastServer() }
        let feeder = try await Feeder.start(programme, to: studio, mount: "/live")
        // Wait until Icecast has a whole burst.
        try #require(await onThread { try studio.isHeard(at: "/live", bytes: 70_000, within: .seconds(30)) })
        let trouble = try TroubledRelay(to: studio.port, after: .seconds(8), .reset)
        let first = try await Relaying(["http://127.0.0.1:\(trouble.port)/live"])
        try await first.waitForAudio(bytes: 50_000)
        let middle = try await onThread { try IcecastServer(relaying: (first.port, "/live")) }
        try #require(await waitUntil(.seconds(60)) { try middle.isHeard(at: "/live", bytes: 50_000) })
        let last = try await Relaying([middle.url("/live")], ["--json"])
        try await last.waitForAudio()
        let before = trouble.faults
        let answer = try await last.curl(seconds: Self.seconds)
        let found = try FrameChecker(Broadcast(programme)).check(cutOff: answer.body)
        #expect(trouble.faults - before >= 4, "\(trouble.faults)")
        #expect(found.isExact, "\(found)\n\(first.process.errorSoFar)\n\(last.process.errorSoFar)")
        #expect(found.places.count > Int(Self.seconds * 38), "\(found)")
        let report = try await last.stop().json(Relaying.Report.self)
        #expect(report.reconnects == 0 && report.hedges == 0)
        withExtendedLifetime(feeder) {}
    }

    @Test("A1: Two Aircheck relays in a row, cut every 8 s, deliver every frame once, and the titles")
    func aircheck() async throws {
        let studio = try await Studio(faults: [.inFrame(after: .seconds(8), .reset)])
        let first = try await studio.relay()
        let second = try await Relaying([first.url()])
        try await second.waitForAudio()
        let answer = try await second.curl("/live", "--header", "Icy-MetaData: 1", seconds: Self.seconds)
        let (audio, blocks) = ICYSplit.split(answer.body, interval: 16_000)
        studio.expectStretch(audio, seconds: Self.seconds, first.process.errorSoFar)
        #expect(studio.origin.log.faults.count >= 4)
        // The station sends a title every three seconds.
        #expect(blocks.titled.count >= 12, "\(blocks)")
        #expect(answer.fields["icy-name"] == Studio.name && answer.fields["icy-genre"] == "Test")
    }

    @Test("A relay of a relay gives its listeners no silence, even those without a burst")
    func bursts() async throws {
        let studio = try await Studio()
        let first = try await studio.relay()
        let second = try await Relaying([first.url()])
        try await second.waitForAudio()
        try await atOnce([0, 0.5, 1, 2, 4]) { burst in
            let answer = try await second.curl("/live?burst=\(burst)", seconds: 20)
            studio.expectStretch(answer.body, seconds: 18, "\(burst)")
        }
    }

    @Test("A1: A relay of a station that is cut every 8 s delivers every frame once")
    func cuts() async throws {
        try await expectWhole([
            [.inFrame(after: .seconds(8), .close)], [.inMetadata(after: .seconds(8), .reset)],
        ])
    }

    @Test("A2: A relay of a station that stalls every 8 s delivers every frame once")
    func stalls() async throws {
        try await expectWhole([[.at(.seconds(8), .stall)]])
    }

    @Test("F14: A recording from a relay whose source is down for 20 s has one dated gap and no filler")
    func recorder() async throws {
        let studio = try await Studio(absences: [.init(.seconds(18), for: .seconds(20), .gone)])
        let relay = try await studio.relay()
        let folder = try TemporaryFolder()
        let outcome = try await Aircheck.run(
            ["record", relay.url(), "--output", folder.path, "--segment", "none", "--pure", "--json", "-d", "50s"],
            within: .seconds(120))
        let report = try outcome.json(Report.self)
        let found = studio.check(try bytes(ofFile: try #require(report.files.first)))
        let more = "\(found) \(report.gaps)\n\(outcome.standardError)\n\(relay.process.errorSoFar)"
        #expect(found.foreign == 0 && found.duplicated.isEmpty && found.disorders == 0, "\(more)")
        #expect(report.files.count == 1 && report.gaps.count == 1, "\(more)")
        // Only the audio that the relay itself missed is missing.
        let missing = Double(found.lost.count) * 1152 / 44_100
        let gap = try #require(report.gaps.first?.seconds)
        #expect(missing > 10 && missing < 21 && abs(gap - missing) < 0.6, "\(missing) s: \(more)")
    }

    /// For each element of `faults`, listens for 45 s to a relay of a station with these faults.
    private func expectWhole(_ faults: [[LiveFault]]) async throws {
        try await atOnce(faults) { faults in
            let studio = try await Studio(faults: faults)
            let relay = try await studio.relay()
            let answer = try await relay.curl(seconds: 45)
            let more = "\(faults): \(relay.process.errorSoFar)"
            studio.expectStretch(answer.body, seconds: 45, more)
            #expect(studio.origin.log.faults.count >= 4, "\(more)")
        }
    }
}
