// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import RadioFormats
import TestSupport
import Testing

@testable import Stations

/// Connections that fall silent, stay open, and deliver again before they are given up, in virtual time.
struct ResumptionTests {
    private static let mp3 = Broadcast([.music(.seconds(200))], MPEGShape(128), seed: 12)

    private func run(
        _ programme: Broadcast, _ silence: Duration, _ effect: LiveFault.Effect, block: Int? = nil,
        for length: Duration = .seconds(45)
    ) -> VirtualStation.Outcome {
        let script = LiveScript { visit in
            // The server allows each client one connection.
            if visit.others > 0 { return .status(403, "Forbidden") }
            var stream = LiveStream(
                programme, faults: [.at(.seconds(15), .stall), .at(.seconds(15) + silence, effect)])
            stream.block = block ?? stream.block
            return .stream(stream)
        }
        return VirtualStation(script, hearing: HeardFrames(of: programme)).run(for: length)
    }

    private static func programme(
        _ encoding: ReferenceProgramme.Encoding?, sampleRate: Int = 44_100
    ) async throws -> Broadcast {
        guard let encoding else { return mp3 }
        return try Broadcast(
            await ReferenceProgramme.make(.init(encoding, sampleRate: sampleRate, channels: 2, seconds: 110)))
    }

    @Test(
        "A25: Audio missing after a silence on an open connection is one gap with its length, at its place",
        arguments: [nil, ReferenceProgramme.Encoding.aac(96)], [2.15, 3, 5, 8])
    func missing(_ encoding: ReferenceProgramme.Encoding?, _ seconds: Double) async throws {
        let programme = try await Self.programme(encoding)
        let outcome = run(programme, .seconds(seconds), .resumeLive)
        let said: Comment = "\(outcome)"
        #expect(outcome.report.duplicated.isEmpty && outcome.report.foreign == 0, said)
        #expect(outcome.heard.gaps.count == 1, said)
        let gap = try #require(outcome.heard.gaps.first, said)
        let missing = outcome.report.lost.reduce(Duration.zero) { $0 + programme.frames[$1].length }
        #expect(missing > .seconds(seconds) - .seconds(1), said)
        #expect(abs(try #require(gap.length, said).inSeconds - missing.inSeconds) <= 0.25, said)
        let before = try #require(outcome.heard.framesBeforeGaps.first)
        #expect(outcome.report.places[before - 1] == outcome.report.lost[0] - 1, said)
        #expect(outcome.heard.longestPause <= .seconds(seconds) + .milliseconds(1_500), said)
        #expect(outcome.snapshot.reconnects == 0, said)
    }

    @Test(
        "A25: The last whole frame before a silence is delivered before the gap, however its bytes came",
        arguments: [nil, ReferenceProgramme.Encoding.nativeFLAC], 0..<8)
    func lastFrame(_ encoding: ReferenceProgramme.Encoding?, _ number: Int) async throws {
        let variable = Broadcast([.music(.seconds(110))], MPEGShape(128, isVariable: true))
        let programme = try await encoding == nil ? variable : Self.programme(encoding)
        let script = LiveScript { visit in
            if visit.others > 0 { return .status(403, "Forbidden") }
            let stall = Duration.milliseconds(15_000 + 130 * number)
            return .stream(
                LiveStream(programme, faults: [.at(stall, .stall), .at(stall + .seconds(5), .resumeLive)]))
        }
        let outcome = VirtualStation(script, hearing: HeardFrames(of: programme)).run(for: .seconds(30))
        #expect(outcome.heard.gaps.count == 1, "\(outcome)")
        #expect(outcome.report.lost.first == outcome.log.faults.first?.place, "\(outcome)")
        let before = try #require(outcome.heard.framesBeforeGaps.first)
        #expect(outcome.report.places[before - 1] == outcome.report.lost[0] - 1, "\(outcome)")
    }

    @Test(
        "A25: Missing audio after a silence is found if the station sends in blocks, too",
        arguments: [16_000, 24_000, 32_000, 80_000])
    func missingBeforeBlock(of size: Int) throws {
        let outcome = run(Self.mp3, .seconds(8), .resumeLive, block: size, for: .seconds(34))
        #expect(outcome.report.duplicated.isEmpty && outcome.report.foreign == 0, "\(outcome)")
        let missing = outcome.report.lost.reduce(Duration.zero) { $0 + Self.mp3.frames[$1].length }
        #expect(missing > .seconds(5) && outcome.heard.gaps.count == 1, "\(outcome)")
        let length = try #require(outcome.heard.gaps.first?.length, "\(outcome)")
        #expect(abs((length - missing).inSeconds) <= 0.25, "\(outcome)")
        let before = try #require(outcome.heard.framesBeforeGaps.first)
        #expect(outcome.report.places[before - 1] == outcome.report.lost[0] - 1, "\(outcome)")
    }

    @Test(
        "A25: Audio that was only held up makes no gap, and waits for little more than a second", arguments: [3, 5, 8])
    func heldUp(_ seconds: Int) {
        let outcome = run(Self.mp3, .seconds(seconds), .resume)
        #expect(outcome.isWhole, "\(outcome)")
        #expect(outcome.heard.longestPause <= .seconds(seconds) + .milliseconds(1_500), "\(outcome.heard.longestPause)")
        #expect(outcome.snapshot.reconnects == 0, "\(outcome)")
    }

    @Test(
        "A25: The hedge delivers what the first connection left out during its silence",
        arguments: [1_400, 9_600], [Duration.milliseconds(5), .milliseconds(300)])
    func hedged(block: Int, latency: Duration) {
        for milliseconds in [2_600, 2_800, 3_000, 3_500] {
            let script = LiveScript { visit in
                let faults: [LiveFault] = [
                    .at(.seconds(10), .stall), .at(.seconds(10) + .milliseconds(milliseconds), .resumeLive),
                ]
                return .stream(LiveStream(Self.mp3, faults: visit.number == 0 ? faults : [], block: block))
            }
            let station = VirtualStation(script, hearing: HeardFrames(of: Self.mp3))
            station.origin.connectLatency = latency
            station.origin.answerLatency = latency
            let outcome = station.run(for: .seconds(25))
            #expect(outcome.isRecordedWhole, "\(milliseconds) ms: \(outcome)")
        }
    }

    @Test(
        "A25: The hedge continues from what a connection brought after its silence, however that one ends",
        arguments: [LiveFault.Effect.close, .reset], [Duration.milliseconds(100), .milliseconds(700)])
    func endsAfterSilence(_ ending: LiveFault.Effect, after time: Duration) {
        let back = Duration.seconds(14)
        let script = LiveScript { visit in
            let faults: [LiveFault] = [.at(.seconds(10), .stall), .at(back, .resume), .at(back + time, ending)]
            let isFirst = visit.number == 0
            return .stream(LiveStream(Self.mp3, burst: isFirst ? 64 * 1024 : 0, faults: isFirst ? faults : []))
        }
        let outcome = VirtualStation(script, hearing: HeardFrames(of: Self.mp3)).run(for: .seconds(40))
        #expect(outcome.isRecordedWhole, "\(outcome)")
    }

    @Test("A47: What a hedge brought during a silence lies within the gap, although it fits on no side") func within() {
        let script = LiveScript { visit in
            guard visit.number < 2 else { return .status(403, "Forbidden") }
            let silence: [LiveFault] = [.at(.seconds(10), .stall), .at(.seconds(18), .resumeLive)]
            return .stream(
                LiveStream(Self.mp3, burst: 0, faults: visit.number == 0 ? silence : [.at(.seconds(3), .close)]))
        }
        let outcome = VirtualStation(script, hearing: HeardFrames(of: Self.mp3)).run(for: .seconds(40))
        let places = outcome.healed.frames.compactMap(\.place)
        #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 }, "\(outcome)")
        #expect(places.count > outcome.report.places.count + 100, "\(outcome)")
        #expect(outcome.healed.gaps.map(\.length) == [nil, nil], "\(outcome)")
    }

    @Test("A25: An outage after a hole begins where the audio after the hole ends") func outageAfterHole() throws {
        let script = LiveScript { visit in
            guard visit.time < .seconds(15) else {
                return visit.time < .seconds(45) ? .status(503, "Unavailable") : .stream(LiveStream(Self.mp3))
            }
            if visit.number > 0 { return .status(403, "Forbidden") }
            return .stream(
                LiveStream(
                    Self.mp3,
                    faults: [.at(.seconds(10), .stall), .at(.seconds(14), .resumeLive), .at(.seconds(15), .close)]))
        }
        let outcome = VirtualStation(script, hearing: HeardFrames(of: Self.mp3)).run(for: .seconds(60))
        let (hole, outage) = (try #require(outcome.heard.gaps.first), try #require(outcome.heard.gaps.last))
        #expect(outcome.heard.gaps.count == 2, "\(outcome)")
        #expect(outage.at - hole.at >= (hole.length ?? .zero), "\(outcome.heard.gaps)")
    }

    @Test(
        "A25: What a connection left out is one gap, although it ends before its pace is certain",
        arguments: [0.3, 0.7, 1.5], [false, true])
    func endsAfterSkip(_ seconds: Double, besideHedge: Bool) throws {
        let (back, end) = (Duration.seconds(14), Duration.seconds(14 + seconds))
        let script = LiveScript { visit in
            guard visit.time < end else { return .stream(LiveStream(Self.mp3)) }
            if visit.number > 0, !besideHedge { return .status(403, "Forbidden") }
            let faults: [LiveFault] = [
                .at(visit.number == 0 ? .seconds(10) : .zero, .stall), .at(back - visit.time, .resumeLive),
                .at(end - visit.time, .close),
            ]
            return .stream(LiveStream(Self.mp3, faults: faults))
        }
        let outcome = VirtualStation(script, hearing: HeardFrames(of: Self.mp3)).run(for: .seconds(30))
        let said: Comment = "\(outcome)"
        #expect(outcome.report.duplicated.isEmpty && outcome.report.disorders == 0, said)
        let missing = outcome.report.lost.reduce(Duration.zero) { $0 + Self.mp3.frames[$1].length }
        #expect(missing > .seconds(3) && outcome.heard.gaps.count == 1, said)
        let length = try #require(outcome.heard.gaps.first?.length, said)
        #expect(abs((length - missing).inSeconds) <= 0.25, said)
        let before = try #require(outcome.heard.framesBeforeGaps.first)
        #expect(outcome.report.places[before - 1] == outcome.report.lost[0] - 1, said)
    }

    @Test("A25: A hedge that began after the tail makes a hole shorter", arguments: [Duration.seconds(5), .seconds(8)])
    func shortened(_ silence: Duration) throws {
        let script = LiveScript { visit in
            let faults: [LiveFault] = [.at(.seconds(10), .stall), .at(.seconds(10) + silence, .resumeLive)]
            let isFirst = visit.number == 0
            return .stream(LiveStream(Self.mp3, burst: isFirst ? 64 * 1024 : 0, faults: isFirst ? faults : []))
        }
        let outcome = VirtualStation(script, hearing: HeardFrames(of: Self.mp3)).run(for: .seconds(40))
        let said: Comment = "\(outcome)"
        let places = outcome.healed.frames.compactMap(\.place)
        #expect(zip(places, places.dropFirst()).allSatisfy(<), said)
        let lost = Set(places[0]...places[places.count - 1]).subtracting(places)
        let missing = lost.reduce(Duration.zero) { $0 + Self.mp3.frames[$1].length }
        #expect(missing < .seconds(3) && outcome.healed.gaps.count == 1, said)
        let length = try #require(outcome.healed.gaps.first?.length, said)
        #expect(abs(length.inSeconds - missing.inSeconds) <= 0.25, said)
    }

    @Test("A25: The hedge delivers what a connection left out, even if that one is silent again at once")
    func silentAgain() {
        for milliseconds in [2_500, 2_600, 2_700, 2_800, 2_900] {
            let back = Duration.seconds(10) + .milliseconds(milliseconds)
            let script = LiveScript { visit in
                let faults: [LiveFault] = [
                    .at(.seconds(10), .stall), .at(back, .resumeLive), .at(back + .milliseconds(300), .stall),
                ]
                return .stream(LiveStream(Self.mp3, faults: visit.number == 0 ? faults : []))
            }
            let station = VirtualStation(script, hearing: HeardFrames(of: Self.mp3))
            // The first connection delivers before the hedge does.
            station.origin.connectLatency = .milliseconds(300)
            station.origin.answerLatency = .milliseconds(300)
            let outcome = station.run(for: .seconds(35))
            #expect(outcome.isRecordedWhole, "\(milliseconds) ms: \(outcome)")
        }
    }

    @Test("A25: A page that a silence cut in two and page numbers that jump after it make one gap")
    func cutPage() async throws {
        let programme = try await Self.programme(.opus(96), sampleRate: 48_000)
        let script = LiveScript { visit in
            if visit.others > 0 { return .status(403, "Forbidden") }
            let faults: [LiveFault] = [.inFrame(after: .seconds(15), .stall), .at(.seconds(19), .resumeLive)]
            return .stream(LiveStream(programme, faults: faults))
        }
        let outcome = VirtualStation(script, hearing: HeardFrames(of: programme)).run(for: .seconds(45))
        let missing = outcome.report.lost.reduce(Duration.zero) { $0 + programme.frames[$1].length }
        #expect(missing > .seconds(3) && outcome.heard.gaps.count == 1, "\(outcome)")
        let length = try #require(outcome.heard.gaps.first?.length, "\(outcome)")
        #expect(abs((length - missing).inSeconds) <= 0.25, "\(outcome)")
    }

    @Test("A25: A hedge that begins shortly before or after the tail repeats nothing")
    func shortOverlap() {
        for milliseconds in stride(from: 2_000, through: 3_400, by: 40) {
            let script = LiveScript { visit in
                guard visit.number > 0 else {
                    let faults: [LiveFault] = [.at(.seconds(10), .stall), .at(.seconds(14), .resumeLive)]
                    return .stream(LiveStream(Self.mp3, burst: 64 * 1024, faults: faults))
                }
                return .stream(LiveStream(Self.mp3, burst: 0, lag: .milliseconds(milliseconds)))
            }
            let outcome = VirtualStation(script, hearing: HeardFrames(of: Self.mp3)).run(for: .seconds(30))
            let said: Comment = "\(milliseconds) ms: \(outcome)"
            #expect(outcome.report.duplicated.isEmpty && outcome.report.disorders == 0, said)
            #expect(outcome.report.lost.count < 170 && outcome.heard.gaps.count <= 1, said)
        }
    }
}
