// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Recorder
import Stations
import TestSupport
import Testing

@testable import Engine

/// Recordings of a span of air time, as shows are recorded.
struct WindowTests {
    private static let broadcast = Broadcast([.music(.seconds(240))], MPEGShape(48))
    private static let frameLength = 1152.0 / 44_100

    /// The programme's time at the beginning of a test, in seconds.
    private static let onAir = 40.0

    private let rig: EngineRig

    init() throws {
        let stream = LiveStream(Self.broadcast, burst: 24_000, faults: [.inFrame(after: .seconds(8), .reset)])
        let away = LiveScript(
            .stream(LiveStream(Self.broadcast, burst: 24_000)),
            absences: [.init(.seconds(15), for: .seconds(20), .gone)])
        rig = try EngineRig(["fip": LiveScript(.stream(stream)), "away": away])
    }

    /// Records from `from` to `to`, in seconds since the beginning of the test.
    private func record(_ id: String, of station: String = "fip", from: Double, to: Double) {
        let began = rig.reactor.wallNow - (rig.reactor.now - rig.began)
        rig.record(id, of: station) { $0.span = .airTime(began + .seconds(from)..<began + .seconds(to)) }
    }

    /// The places of the file's frames. Fails unless the file has every frame in between once.
    private func places(_ id: String) throws -> Range<Int> {
        let audio = try rig.audio(id)
        return try #require(Self.broadcast.stretch(of: audio, startingAt: Self.broadcast.starts), "\(id)")
    }

    /// The time at which a frame airs, in seconds since the beginning of the test.
    private func time(of place: Int) -> Double { Double(place) * Self.frameLength - Self.onAir }

    private func expect(_ places: Range<Int>, from: Double, to: Double) {
        let (first, last) = (time(of: places.lowerBound), time(of: places.upperBound))
        #expect(abs(first - from) < 0.1, "begins at \(first), not \(from)")
        #expect(abs(last - to) < 0.1, "ends at \(last), not \(to)")
    }

    @Test("Overlapping shows have their own frames each, over one connection that is cut twenty times")
    func overlapping() throws {
        record("one", from: 20, to: 100)
        record("two", from: 60, to: 180)
        record("three", from: 90, to: 95)
        rig.run(185)
        let accepts = rig.origin.log.accepts.filter { $0.host == "fip" }
        #expect(accepts.count > 20)
        let areOneAtATime = zip(accepts, accepts.dropFirst()).allSatisfy { old, new in
            old.ended.map { $0 <= new.at } ?? false
        }
        #expect(areOneAtATime)
        expect(try places("one"), from: 20, to: 100)
        expect(try places("two"), from: 60, to: 180)
        expect(try places("three"), from: 90, to: 95)
        #expect(rig.origin.transfersUnderWay == 0)
    }

    @Test("A recording that is requested too late begins with the oldest audio kept") func late() throws {
        record("early", from: 0, to: 40)
        rig.run(20)
        record("late", from: 10, to: 30)
        record("over", from: 1, to: 12)
        rig.run(25)
        // Without other uses, only little more than a second of audio is kept, or the last burst. So the recording
        // begins late.
        let late = try places("late")
        #expect((15..<19.1).contains(time(of: late.lowerBound)) && abs(time(of: late.upperBound) - 30) < 0.1)
        let over = try #require(rig.recording("over"))
        #expect(over.report.frames == 0 && rig.outcomes.count == 3)
    }

    @Test("A recording whose station is down at the start begins with its return and ends in time")
    func stationDown() throws {
        record("begin", of: "away", from: 20, to: 60)
        record("whole", of: "away", from: 5, to: 60)
        record("end", of: "away", from: 5, to: 30)
        rig.run(75)
        let first = try places("begin")
        #expect(time(of: first.lowerBound) > 30 && time(of: first.lowerBound) < 36)
        #expect(abs(time(of: first.upperBound) - 60) < 0.1)
        let gap = try #require(rig.recording("whole")?.report.gaps.first)
        #expect(gap.milliseconds.map { (15_000...22_000).contains($0) } == true)
        let end = try places("end")
        #expect(abs(time(of: end.lowerBound) - 5) < 0.1 && (14.5...15).contains(time(of: end.upperBound)))
        #expect(rig.outcomes.values.allSatisfy { $0.failure == nil })
    }

    @Test("A clock that is set moves the end of a recording that waits for its station") func clockStep() throws {
        record("step", of: "away", from: 5, to: 3_625)
        rig.run(10)
        rig.reactor.stepWall(to: rig.reactor.wallNow + .seconds(3_600))
        rig.registry.clockStepped()
        rig.run(20)
        #expect(rig.outcomes.isEmpty)
        rig.run(10)
        #expect(rig.outcomes.count == 1)
    }
}
