// SPDX-License-Identifier: MIT

import HTTPServer
import Instants
import RadioCore
import RadioFormats
import Recorder
import Relay
import Stations
import TestSupport
import Testing

@testable import Engine

/// Two hundred uses of twenty programmes come and go, and none of them notices another.
struct RandomUseTests {
    private static let programmes = 20
    private static let length = 60.0
    private static let linger = 2.0
    /// What the station has sent before the first connection.
    private static let onAir = 40.0

    /// One use, as it was drawn by lot. Times are in seconds.
    private struct Draw {
        enum Kind: Hashable { case recording, mount, onDemand, probe }
        let id: String
        let programme: Int
        let kind: Kind
        let begin: Double
        let end: Double
        /// When somebody listens.
        var listening: ClosedRange<Double>?
        var client: LoopbackClient?
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `uses join a programme that runs, and leave it, without touching another`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let broadcasts = (0..<Self.programmes).map {
            Broadcast([.music(.seconds(Self.onAir + Self.length + 10))], MPEGShape(48), seed: UInt64($0) + 1)
        }
        let hosts = broadcasts.enumerated().map { ("s\($0)", LiveScript(.stream(LiveStream($1, burst: 16_000)))) }
        let rig = try EngineRig(Dictionary(uniqueKeysWithValues: hosts))
        var draws = (0..<200).map { Self.draw($0, &random) }
        var time = 0.0
        rig.run(Self.length + 8) {
            for index in draws.indices { Self.perform(&draws[index], at: time, in: rig) }
            for draw in draws { draw.client?.collect() }
            time = (time * 40 + 1).rounded() / 40
        }
        #expect(rig.outcomes.count == draws.count)
        #expect(rig.registry.snapshot.uses.isEmpty)
        #expect(rig.registry.snapshot.programmes.values.allSatisfy { $0.station == nil }, "all have been let go of")
        #expect(rig.origin.transfersUnderWay == 0)
        for (number, broadcast) in broadcasts.enumerated() {
            let own = draws.filter { $0.programme == number }
            #expect(rig.connections(to: "s\(number)") == Self.runs(of: own, in: rig), "s\(number)")
            let starts = broadcast.starts
            for draw in own { try check(draw, of: broadcast, starts, in: rig) }
        }
    }

    private static func draw(_ number: Int, _ random: inout SplitMix64) -> Draw {
        // Ends fall between beginnings: which of two comes first is never left to chance.
        let begin = Double(Int.random(in: 0..<500, using: &random)) / 10
        let length = Double(Int.random(in: 10...200, using: &random)) / 10 + 0.05
        let kinds: [Draw.Kind] = [.recording, .recording, .mount, .mount, .onDemand, .probe]
        let kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
        var draw = Draw(
            id: "u\(number)", programme: Int.random(in: 0..<programmes, using: &random), kind: kind, begin: begin,
            end: min(begin + length, Self.length))
        guard kind == .mount || kind == .onDemand, draw.end - draw.begin > 2 else { return draw }
        let comes = ((draw.begin + 0.5) * 10).rounded() / 10
        draw.listening = comes...max(comes + 1.025, ((draw.end - 0.5) * 10).rounded() / 10 + 0.025)
        return draw
    }

    private static func perform(_ draw: inout Draw, at time: Double, in rig: EngineRig) {
        func isNow(_ instant: Double) -> Bool { abs(instant - time) < 0.001 }
        let programme = "s\(draw.programme)"
        if isNow(draw.begin) {
            switch draw.kind {
            case .recording: rig.record(draw.id, of: programme)
            case .mount: rig.mount(draw.id, of: programme)
            case .onDemand:
                rig.mount(draw.id, of: programme) { spec in
                    spec.settings.isOnDemand = true
                    spec.linger = .seconds(linger)
                }
            case .probe:
                rig.registry.perform(
                    .begin(UseID(draw.id), ProbeSpec(limit: .seconds(60)), of: ProgrammeID(programme)))
            }
        }
        if let listening = draw.listening, isNow(listening.lowerBound) { draw.client = rig.listen(draw.id) }
        if let listening = draw.listening, isNow(listening.upperBound), draw.kind == .onDemand { draw.client?.reset() }
        if isNow(draw.end) { rig.end(draw.id) }
    }

    /// How often a programme has to be connected to for these uses: once for each time that somebody needs it.
    private static func runs(of draws: [Draw], in rig: EngineRig) -> Int {
        var needs: [(from: Double, to: Double)] = []
        for draw in draws {
            switch draw.kind {
            case .recording, .mount: needs.append((draw.begin, draw.end))
            // It ends as soon as it has seen enough.
            case .probe:
                guard let end = rig.ends[UseID(draw.id)] else { continue }
                needs.append((draw.begin, (end - rig.began).inSeconds - 0.01))
            case .onDemand:
                guard let listening = draw.listening else { continue }
                needs.append((listening.lowerBound, listening.upperBound + linger + 0.03))
            }
        }
        var (runs, until) = (0, -1.0)
        for need in needs.sorted(by: { $0.from < $1.from }) {
            if need.from > until { runs += 1 }
            until = max(until, need.to)
        }
        return runs
    }

    private func check(
        _ draw: Draw, of broadcast: Broadcast, _ starts: [ArraySlice<UInt8>: Int], in rig: EngineRig
    ) throws {
        let said = "\(draw)"
        switch draw.kind {
        case .recording:
            let outcome = try #require(rig.recording(draw.id), "\(said)")
            #expect(outcome.failure == nil && outcome.report.gaps.isEmpty, "\(said)")
            let heard = try #require(broadcast.stretch(of: try rig.audio(draw.id), startingAt: starts), "\(said)")
            #expect(heard.count == Int(outcome.report.frames), "\(said)")
            expect(heard, from: draw.begin + 0.2, to: draw.end - 0.4, of: broadcast, said)
        case .mount, .onDemand:
            guard let outcome = rig.outcomes[UseID(draw.id)] as? MountOutcome else {
                Issue.record("\(said) has not ended")
                return
            }
            #expect(outcome.failure == nil, "\(said)")
            guard let listening = draw.listening, let client = draw.client else { return }
            let heard = try #require(broadcast.stretch(of: client.body, startingAt: starts), "\(said)")
            let end = draw.kind == .mount ? draw.end : listening.upperBound
            expect(heard, from: listening.lowerBound + 0.3, to: end - 1.4, of: broadcast, said)
        case .probe:
            guard let result = rig.outcomes[UseID(draw.id)] as? ProbeResult else {
                Issue.record("\(said) has not ended")
                return
            }
            #expect(result.failure == nil && result.format?.sampleRate == 44_100, "\(said)")
        }
    }

    /// Whether all was heard that aired between two times.
    private func expect(
        _ heard: Range<Int>, from: Double, to: Double, of broadcast: Broadcast, _ said: String
    ) {
        guard let first = heard.first, let last = heard.last else {
            Issue.record("\(said) heard nothing")
            return
        }
        let start = broadcast.frames[first].start.inSeconds - Self.onAir
        let end = broadcast.frames[last].start.inSeconds - Self.onAir
        #expect(start <= from && end >= to, "\(said): heard from \(start) to \(end)")
    }
}
