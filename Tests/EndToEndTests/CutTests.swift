// SPDX-License-Identifier: MIT

import Instants
import TestSupport
import TestTools
import Testing

/// The tables of issue 3: connections that are cut or fall silent every eight seconds, for 45 s, and leave no trace in
/// the recording.
///
/// All recordings of a test run side by side, as they mostly wait.
struct CutTests {
    private static let seconds = 45

    @Test("A1: A connection cut every 8 s, within a frame or metadata, loses, repeats and adds nothing")
    func cuts() async throws {
        let programmes = try await OnAir.programmes()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (name, onAir) in programmes {
                for effect in [LiveFault.Effect.close, .reset] {
                    for interval in onAir.programme.container == .ogg ? [nil] : [nil, 4_000] {
                        group.addTask { try await cut("\(name), \(effect)", onAir, effect, interval: interval) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func cut(_ name: String, _ onAir: OnAir, _ effect: LiveFault.Effect, interval: Int?) async throws {
        let fault =
            interval == nil ? LiveFault.inFrame(after: .seconds(8), effect) : .inMetadata(after: .seconds(8), effect)
        let origin = try ScriptedOrigin(
            LiveScript(.stream(LiveStream(onAir.programme, interval: interval, faults: [fault]))))
        let outcome = try await onAir.record(Self.seconds, from: origin)
        #expect(outcome.isWhole, "\(name): \(outcome)")
        #expect(outcome.report.reconnects >= 4 && outcome.accepts <= outcome.faults + 1, "\(name): \(outcome)")
        #expect(outcome.report.splices.count == outcome.report.reconnects, "\(name): \(outcome)")
        #expect(outcome.report.seconds >= Double(Self.seconds), "\(name): \(outcome)")
        let log = outcome.process.standardError.split(separator: "\n")
        #expect(log.count { $0.contains("[dropped]") } == outcome.report.reconnects, "\(name): \(outcome)")
        #expect(log.count { $0.contains("joined again") } == outcome.report.reconnects, "\(name): \(outcome)")
    }

    /// A connection lasts 8 s, and its stall is noticed within 2.5 s, so four more connections deliver within 42 s.
    @Test("A2: A connection that stalls every 8 s is hedged, and nothing is lost, repeated or foreign")
    func stalls() async throws {
        let programmes = try await OnAir.programmes()
        try await atOnce(programmes) { (name, onAir) in
            let origin = try ScriptedOrigin(
                LiveScript(.stream(LiveStream(onAir.programme, faults: [.at(.seconds(8), .stall)]))))
            let outcome = try await onAir.record(Self.seconds, from: origin)
            #expect(outcome.isWhole, "\(name): \(outcome)")
            let report = outcome.report
            #expect(report.reconnects >= 4 && report.hedges >= report.reconnects, "\(name): \(outcome)")
            #expect(report.splices.map(\.by) == Array(repeating: "match", count: report.reconnects), "\(name)")
            #expect(report.seconds >= Double(Self.seconds), "\(name): \(report.seconds) s, \(outcome)")
            #expect(outcome.accepts <= outcome.faults + 1, "\(name): \(outcome)")
        }
    }

    @Test("A2: An address with credentials is not hedged, so that a stall is a drop with its loss")
    func noHedge() async throws {
        let onAir = OnAir(Broadcast([.music(.seconds(100))]))
        let origin = try ScriptedOrigin(
            LiveScript(.stream(LiveStream(onAir.programme, faults: [.at(.seconds(8), .stall)]))))
        // The station is silent at 8 s and at 26 s, and delivers again at 36 s.
        let outcome = try await onAir.record(40, from: origin, credentials: "user:s3cret@")
        #expect(outcome.report.hedges == 0, "\(outcome)")
        for (fault, accept) in zip(outcome.logs[0].faults, outcome.logs[0].accepts.dropFirst()) {
            #expect(accept.at - fault.at >= .seconds(9), "\(outcome)")
        }
        #expect(outcome.report.reconnects >= 2 && outcome.report.files.count == 1, "\(outcome)")
        #expect(outcome.frames.duplicated.isEmpty && outcome.frames.disorders == 0, "\(outcome)")
        #expect(outcome.frames.foreign == 0 && outcome.frames.junkBytes == 0, "\(outcome)")
        // Ten seconds of silence, of which the burst covers four.
        let missing = onAir.seconds(outcome.frames.lost)
        let told = outcome.report.gaps.compactMap(\.seconds).reduce(0, +)
        #expect(abs(told - missing) <= 0.2 * Double(outcome.report.gaps.count), "\(missing) s: \(outcome)")
        #expect(missing > 0 && missing <= 7 * Double(outcome.report.reconnects), "\(missing) s: \(outcome)")
    }

    @Test("A1, A2: A real Icecast behind a relay that cuts or stalls every 8 s is recorded whole")
    func icecast() async throws {
        let parameters: [ReferenceProgramme.Parameters] = [
            .init(.mp3(128), seconds: 75), .init(.opus(96), sampleRate: 48_000, seconds: 75),
            .init(.aac(96), seconds: 75),
        ]
        try await atOnce(parameters) { parameters in try await icecast(parameters) }
    }

    private func icecast(_ parameters: ReferenceProgramme.Parameters) async throws {
        let programme = try await ReferenceProgramme.make(parameters)
        let server = try await onThread { try IcecastServer() }
        let feeder = try await Feeder.start(programme, to: server, mount: "/live")
        // Wait until Icecast has its whole usual burst of 64 KiB, from which the tests derive how long a silence may
        // last.
        try #require(await onThread { try server.isHeard(at: "/live", bytes: 70_000, within: .seconds(30)) })
        try await atOnce([TroubledRelay.Effect.close, .reset, .stall]) { effect in
            try await icecast(programme, server, effect)
        }
        withExtendedLifetime(feeder) {}
    }

    private func icecast(
        _ programme: ReferenceProgramme, _ server: IcecastServer, _ effect: TroubledRelay.Effect
    ) async throws {
        let relay = try TroubledRelay(to: server.port, after: .seconds(8), effect)
        let folder = try TemporaryFolder()
        let process = try await Aircheck.run(
            ["record", "http://127.0.0.1:\(relay.port)/live", "--segment", "none", "--duration", "\(Self.seconds)s"]
                + ["--json", "--output", folder.path], within: .seconds(Self.seconds + 60))
        let report = try Report(process)
        let found = try programme.checker().check(try report.files.map { try bytes(ofFile: $0) })
        let said: Comment = "\(programme.parameters.encoding), \(effect): \(found) \(report)\n\(process.standardError)"
        #expect(found.isExact && report.gaps.isEmpty && report.files.count == 1, said)
        #expect(report.reconnects >= 4 && report.hedges >= (effect == .stall ? report.reconnects : 0), said)
        #expect(report.seconds >= Double(Self.seconds), said)
        #expect(relay.accepts <= relay.faults + 1, said)
    }
}
