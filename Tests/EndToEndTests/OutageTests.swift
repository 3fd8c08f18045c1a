// SPDX-License-Identifier: MIT

import Instants
import TestSupport
import TestTools
import Testing

/// Stations that are down for a while, continue on a mirror, or come back with other audio.
struct OutageTests {
    private static let onAir = OnAir(Broadcast([.music(.seconds(120))]))

    @Test("An outage of 3 s is covered by the burst, and nothing is lost, repeated or foreign")
    func threeSeconds() async throws {
        let script = LiveScript(
            .stream(LiveStream(Self.onAir.programme)), absences: [.init(.seconds(8), for: .seconds(3), .gone)])
        let outcome = try await Self.onAir.record(18, from: ScriptedOrigin(script))
        #expect(outcome.isWhole && outcome.report.reconnects >= 1, "\(outcome)")
        #expect(outcome.report.splices.map(\.by) == ["match"], "\(outcome)")
    }

    @Test("A3: An outage of 20 s is one gap of the right length in the same file, and audio resumes soon")
    func twentySeconds() async throws {
        let script = LiveScript(
            .stream(LiveStream(Self.onAir.programme)), absences: [.init(.seconds(8), for: .seconds(20), .gone)])
        let origin = try ScriptedOrigin(script)
        let returned = origin.began + .seconds(28)
        let outcome = try await Self.onAir.record(40, from: origin) { _, folder in
            let file = folder.file("radio.mp3.part")
            #expect(try await origin.hasLogged(within: .seconds(60)) { $0.accepts.count == 2 })
            // Audio from before the outage was written long ago.
            let before = try bytes(ofFile: file).count
            #expect(try await waitUntil(.seconds(60)) { try bytes(ofFile: file).count > before })
            let away = MonotonicInstant.now - returned
            // Frames are on disk a second after they came.
            #expect(away <= .seconds(6), "\(away)")
        }
        let (report, found) = (outcome.report, outcome.frames)
        #expect(report.files.count == 1 && report.gaps.count == 1 && report.splices.isEmpty, "\(outcome)")
        #expect(found.duplicated.isEmpty && found.disorders == 0, "\(outcome)")
        #expect(found.foreign == 0 && found.junkBytes == 0, "\(outcome)")
        let gap = try #require(report.gaps.first)
        let told = try #require(gap.seconds)
        let missing = Self.onAir.seconds(found.lost)
        #expect(missing > 10 && abs(told - missing) <= 0.2, "\(missing) s: \(outcome)")
        #expect(!gap.cause.isEmpty && gap.tried.contains { $0.hasPrefix("refused") }, "\(outcome)")
        #expect(outcome.sidecars.map { $0.gaps.map(\.position) } == [[gap.position]], "\(outcome)")
    }

    @Test("A mirror continues at the frame where the first one ended for good")
    func mirrors() async throws {
        let outcome = try await twoMirrors(second: Self.onAir.programme)
        #expect(outcome.isWhole && outcome.report.splices.map(\.by) == ["match"], "\(outcome)")
    }

    @Test("A mirror with its own encoder gives one discontinuity, and repeats nothing of the first")
    func differentMirrors() async throws {
        let other = Broadcast([.music(.seconds(120))], seed: 2)
        let outcome = try await twoMirrors(second: other)
        #expect(outcome.report.gaps.count == 1 && outcome.report.splices.isEmpty, "\(outcome)")
        #expect(outcome.report.files.count == 1 && outcome.report.foreign.isEmpty, "\(outcome)")
        #expect(outcome.frames.lost.isEmpty && outcome.frames.duplicated.isEmpty, "\(outcome)")
        let file = try #require(outcome.files.first)
        let second = FrameChecker(other).check(file)
        #expect(second.lost.isEmpty && second.duplicated.isEmpty && second.disorders == 0, "\(second)")
        #expect(second.junkBytes == 0 && second.places.count(where: { $0 != nil }) == outcome.frames.foreign)
    }

    private func twoMirrors(second: Broadcast) async throws -> OnAir.Outcome {
        let now = MonotonicInstant.now
        let dying = LiveScript(
            .stream(LiveStream(Self.onAir.programme)), absences: [.init(.seconds(8), for: .seconds(3_600), .gone)])
        return try await Self.onAir.record(
            18, from: ScriptedOrigin(dying, began: now),
            ScriptedOrigin(LiveScript(.stream(LiveStream(second))), began: now))
    }

    @Test("An advert at a reconnect is one foreign span, and the programme around it is whole")
    func advert() async throws {
        let advert = Broadcast([.music(.seconds(20))], seed: 5)
        let script = LiveScript { visit in
            var stream = LiveStream(Self.onAir.programme)
            if visit.number == 0 {
                stream.faults = [.inFrame(after: .seconds(10), .reset)]
            } else {
                stream.advert = .init(advert, catchUp: .seconds(4))
            }
            return .stream(stream)
        }
        let outcome = try await Self.onAir.record(42, from: ScriptedOrigin(script))
        #expect(outcome.frames.lost.isEmpty && outcome.frames.duplicated.isEmpty, "\(outcome)")
        #expect(outcome.frames.disorders == 0 && outcome.frames.junkBytes == 0, "\(outcome)")
        #expect(abs(outcome.frames.foreign - advert.frames.count) <= 1, "\(outcome)")
        #expect(outcome.report.gaps.isEmpty && outcome.report.foreign.count == 1, "\(outcome)")
        #expect(abs(try #require(outcome.report.foreign.first).seconds - 20) < 0.1, "\(outcome)")
        let sidecar = try #require(outcome.sidecars.first)
        #expect(sidecar.gaps.isEmpty && sidecar.foreign.count == 1, "\(sidecar)")
    }

    @Test("A16: A station ten times as fast as real time is recorded whole, in bounded memory")
    func rush() async throws {
        let onAir = OnAir(Broadcast([.music(.seconds(400))]))
        let stream = LiveStream(onAir.programme, speed: (10, nil))
        let origin = try ScriptedOrigin(LiveScript(.stream(stream)))
        let outcome = try await onAir.record(30, from: origin) { process, _ in
            // There is no audio yet, or very little.
            #expect(try await origin.hasLogged(within: .seconds(60)) { !$0.accepts.isEmpty })
            let before = try #require(process.peakMemorySoFar)
            #expect(try await origin.hasLogged(within: .seconds(60)) { $0.bodyBytes > 290 * 16_000 })
            let after = try #require(process.peakMemorySoFar)
            #expect(after - before <= 32 << 20, "\(before) to \(after)")
        }
        #expect(outcome.isWhole && outcome.report.seconds > 300, "\(outcome)")
    }

    @Test("Another format after a reconnect begins a new file, and both files play")
    func formats() async throws {
        let first = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 75, usesReservoir: false))
        let others: [ReferenceProgramme.Parameters] = [
            .init(.aac(96), seconds: 75),
            .init(.mp3(128), sampleRate: 48_000, seconds: 75, seed: 2, usesReservoir: false),
        ]
        try await atOnce(others) { try await change(from: first, to: try await ReferenceProgramme.make($0)) }
    }

    private func change(from first: ReferenceProgramme, to second: ReferenceProgramme) async throws {
        let before = try Broadcast(first)
        let after = try Broadcast(second)
        let origin = try ScriptedOrigin(
            LiveScript(
                .stream(LiveStream(before, faults: [.inFrame(after: .seconds(6), .reset)])),
                .stream(LiveStream(after))))
        let outcome = try await OnAir(before).record(15, from: origin, decoding: true)
        #expect(outcome.files.count == 2 && outcome.report.gaps.count == 1, "\(outcome)")
        for (file, programme) in zip(outcome.files, [before, after]) {
            let found = FrameChecker(programme).check(file)
            #expect(found.isExact && found.places.count > 100, "\(found)")
        }
        #expect(outcome.decodingErrors == ["", ""], "\(outcome)")
    }
}
