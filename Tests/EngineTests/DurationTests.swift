// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Recorder
import TestSupport
import Testing

@testable import Engine

/// The end of a recording of a given length, while its station is unavailable.
struct DurationTests {
    private static let broadcast = Broadcast([.music(.seconds(240))], MPEGShape(48))

    @Test(
        "A recording of a given length has what aired before its end and no more, even if the clock is set",
        arguments: [0, 3_600, -3_600])
    func length(step: Int) throws {
        let away = LiveScript(
            .stream(LiveStream(Self.broadcast, burst: 24_000)),
            absences: [.init(.seconds(15), for: .seconds(20), .gone)])
        let rig = try EngineRig(["away": away])
        rig.record("hour", of: "away") { $0.duration = .seconds(34.5) }
        rig.run(34.8)
        #expect(rig.outcomes.isEmpty)
        rig.reactor.stepWall(to: rig.reactor.wallNow + .seconds(step))
        rig.registry.clockStepped()
        rig.run(12)
        #expect(try #require(rig.recording("hour")).report.gaps.count == 1)
        let frames = FrameChecker(Self.broadcast).check(try rig.audio("hour"))
        let last = try #require(frames.last)
        // The programme had been on air for 40 s.
        #expect(abs(Double(last) * 1_152 / 44_100 - 40 - 34.5) < 0.5, "\(frames)")
    }

    @Test(
        "A station that falls silent before the end, and returns after it, is recorded up to the end and no further",
        arguments: [LiveFault.Effect.resumeLive, .resume])
    func returnsLate(_ effect: LiveFault.Effect) throws {
        let stream = LiveStream(
            Self.broadcast, burst: 24_000, faults: [.at(.seconds(10), .stall), .at(.seconds(15), effect)])
        let frozen = LiveScript { visit in visit.number == 0 ? .stream(stream) : .status(503) }
        let rig = try EngineRig(["frozen": frozen])
        rig.record("hour", of: "frozen") { $0.duration = .seconds(12) }
        rig.run(21)
        let report = try #require(rig.recording("hour")).report
        let last = try #require(FrameChecker(Self.broadcast).check(try rig.audio("hour")).last)
        // The programme had been on air for 40 s.
        let end = Double(last) * 1_152 / 44_100 - 40
        let gaps = (report.gaps + report.openGaps).map(\.milliseconds)
        #expect(abs(end - (effect == .resume ? 12 : 10)) < 0.5, "\(end)")
        #expect(effect == .resume ? gaps.isEmpty : abs((gaps.first ?? 0).map { $0 - 2_000 } ?? 9_999) < 500, "\(gaps)")
    }

    @Test("A33: A file that is over before the given length is no success", arguments: [nil, 5, 60], [true, false])
    func fileIsOver(length: Int?, hasRanges: Bool) throws {
        let file = Broadcast([.music(.seconds(10))])
        var head = LiveHead(200, "OK", ["Content-Type": "audio/mpeg"])
        if hasRanges { head.fields.append(("Accept-Ranges", "bytes")) }
        head.fields.append(("Content-Length", "\(file.bytes.count)"))
        let rig = try EngineRig(["file": LiveScript(.response(head, body: file.bytes))])
        rig.record("it", of: "file") { $0.duration = length.map { .seconds($0) } }
        rig.run(3)
        let outcome = try #require(rig.recording("it"))
        #expect(outcome.report.frames == Int64(file.frames.count))
        #expect(outcome.failure?.failureClass == (length == 60 ? .file : nil), "\(outcome.failure as Any)")
    }

    @Test("A33: A recording that has an advert, but nothing of a station, is a failure", arguments: [true, false])
    func onlyAdvert(comes: Bool) throws {
        let advert = Broadcast([.music(.seconds(10))])
        var head = LiveHead(200, "OK", ["Content-Type": "audio/mpeg"])
        head.fields.append(("Content-Length", "\(advert.bytes.count)"))
        let station = LiveScript(
            .stream(LiveStream(Self.broadcast, burst: 6_000)),
            absences: [.init(.zero, for: .seconds(comes ? 10 : 100), .gone)])
        let rig = try EngineRig([
            "list": LiveScript(.text("#EXTM3U\nhttp://ad/\nhttp://b/\n", type: "audio/x-mpegurl")),
            "ad": LiveScript(.response(head, body: advert.bytes)), "b": station,
        ])
        rig.record("it", of: "list") { $0.duration = .seconds(20) }
        rig.run(35)
        let outcome = try #require(rig.recording("it"))
        #expect(outcome.failure?.failureClass == (comes ? nil : .refused), "\(outcome.failure as Any)")
        let foreign = outcome.report.stretches[.foreign]
        #expect(foreign.map(\.frames) == [Int64(advert.frames.count)], "\(foreign)")
        let missing = (outcome.report.gaps + outcome.report.openGaps).compactMap(\.milliseconds).reduce(0, +)
        #expect((comes ? 8_000...13_000 : 18_000...50_000).contains(missing), "\(missing)")
    }
}
