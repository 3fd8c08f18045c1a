// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Recorder
import Stations
import TestSupport
import Testing

@testable import Engine

/// Recordings of stations in HLS, whose lists have what was on air before.
struct SegmentWindowTests {
    private static let broadcast = Broadcast([.music(.seconds(300))], MPEGShape(48))
    private static let frameLength = 1152.0 / 44_100

    /// The programme's time at the beginning of a test, in seconds.
    private static let onAir = 100.0

    /// Lists of 60 segments of a second each. Those of `late` are 25 s behind the air.
    private let rig: EngineRig

    init() throws {
        let rendition = HLSRendition(Self.broadcast, window: 60)
        var late = rendition
        late.delay = .seconds(25)
        let scripts = ["fip": rendition, "late": late].mapValues {
            HLSScript($0).with { $0.onAir = .seconds(Self.onAir) }
        }
        rig = try EngineRig(segments: scripts)
    }

    /// Records from `from` to `to`, in seconds since the beginning of the test.
    private func record(_ id: String, of station: String = "fip", from: Double, to: Double) {
        let began = rig.reactor.wallNow - (rig.reactor.now - rig.began)
        rig.record(id, of: station) { $0.span = .airTime(began + .seconds(from)..<began + .seconds(to)) }
    }

    /// From when to when a recording has every frame, in seconds since the beginning of the test.
    private func times(_ id: String) throws -> (first: Double, last: Double) {
        let audio = try rig.audio(id)
        let places = try #require(Self.broadcast.stretch(of: audio, startingAt: Self.broadcast.starts), "\(id)")
        let time = { (place: Int) in Double(place) * Self.frameLength - Self.onAir }
        return (time(places.lowerBound), time(places.upperBound))
    }

    private func expect(_ id: String, from: Double, to: Double) throws {
        let (first, last) = try times(id)
        #expect(abs(first - from) < 0.1, "\(id) begins at \(first), not \(from)")
        #expect(abs(last - to) < 0.1, "\(id) ends at \(last), not \(to)")
        #expect(rig.recording(id)?.report.gaps.isEmpty == true)
    }

    @Test("A show that began before the station was connected is complete from the list", arguments: ["fip", "late"])
    func past(station: String) throws {
        record("past", of: station, from: -20, to: 20)
        rig.run(70)
        try expect("past", from: -20, to: 20)
    }

    @Test("A show that begins after the station was connected is complete", arguments: ["fip", "late"])
    func coming(station: String) throws {
        record("coming", of: station, from: 30, to: 50)
        rig.run(95)
        try expect("coming", from: 30, to: 50)
    }

    @Test("Shows of one station that want different beginnings have them, and listeners hear on")
    func together() throws {
        record("one", from: -40, to: 10)
        record("two", from: -10, to: 30)
        record("three", from: 20, to: 40)
        rig.mount("fip", of: "fip")
        rig.run(2)
        let listener = rig.listen("fip")
        rig.run(60)
        try expect("one", from: -40, to: 10)
        try expect("two", from: -10, to: 30)
        try expect("three", from: 20, to: 40)
        #expect(rig.origin.log.accepts.contains { $0.host == "fip" })
        #expect(listener.end == nil)
    }

    @Test("A show that began before the list does begins with the oldest audio of the list") func beyond() throws {
        record("beyond", from: -90, to: 5)
        rig.run(40)
        let (first, last) = try times("beyond")
        #expect((-61 ... -58).contains(first) && abs(last - 5) < 0.1)
    }

    @Test("A recording begins at the edge, or with the oldest audio if that is wanted") func fromStart() throws {
        rig.record("edge", of: "late") { $0.duration = .seconds(10) }
        rig.record("all", of: "fip") { ($0.start, $0.duration) = (.airTime(WallInstant(nanoseconds: 0)), .seconds(10)) }
        rig.run(11)
        #expect(rig.outcomes.count == 2)
        #expect((-30 ... -26).contains(try times("edge").first))
        let (first, last) = try times("all")
        #expect((-61 ... -58).contains(first) && (8...10.5).contains(last))
    }

    @Test("Listeners hear the edge while a recording gets older audio, and never jump back", arguments: [true, false])
    func olderAudio(isFirst: Bool) throws {
        rig.mount("live", of: "fip")
        let record = { [rig] in
            rig.record("all", of: "fip") {
                ($0.start, $0.duration) = (.airTime(WallInstant(nanoseconds: 0)), .seconds(25))
            }
        }
        if !isFirst { record() }
        rig.run(3)
        let listener = rig.listen("live")
        rig.run(5) { listener.collect() }
        if isFirst { record() }
        let late = rig.listen("live")
        rig.run(30) {
            listener.collect()
            late.collect()
        }
        let source = PlayedFrames.Source(Self.broadcast)
        for (client, joined) in [(listener, 3.0), (late, 8)] {
            let heard = PlayedFrames(client.body, of: source, nil)
            let first = try #require(heard.own.first)
            let isUnbroken = zip(heard.own, heard.own.dropFirst()).allSatisfy { $1 == $0 + 1 }
            #expect(heard.foreign == nil && heard.fillers == 0 && isUnbroken && client.end == nil)
            let began = Double(first) * Self.frameLength - Self.onAir
            #expect(began > joined - 15 && heard.own.count > 900, "\(began) \(heard.own.count)")
        }
        let (first, last) = try times("all")
        #expect(isFirst ? first > -20 : (-61 ... -58).contains(first), "\(first)")
        #expect(last > 20 && rig.recording("all")?.report.gaps.isEmpty == true, "\(last)")
    }
}
