// SPDX-License-Identifier: MIT

import EventLoopTesting
import Instants
import RadioFormats
import Recorder
import Stations
import Testing

@testable import RadioCore

/// Adverts that a station tells of, in the sidecars of recordings.
struct AdvertMarkTests {
    /// The adverts of each file: frames, seconds, and who says so.
    private static func marks(_ rig: RecorderRig) -> [[String]] {
        rig.sidecars.map { $0.stretches[.advert].map(text) }
    }

    private static func text(_ stretch: Sidecar.Stretch) -> String {
        "\(stretch.range) \((Double(stretch.milliseconds) / 1_000).rounded()) s by \(stretch.by ?? "nobody")"
    }

    @Test("An advert by its title is marked from its first frame to its last one")
    func titled() throws {
        let rig = try RecorderRig(playing: .seconds(2)) { $0.policy = .none }
        let start = rig.hub.position.frames
        let air = rig.reactor.wallNow
        rig.hub.setTitle("Advert: A Shop")
        rig.play(.seconds(3))
        rig.hub.setTitle("Advert: Another Shop")
        rig.play(.seconds(4))
        let end = rig.hub.position.frames
        rig.hub.setTitle("Bach - Air")
        rig.play(.seconds(2))
        let report = rig.stop()
        #expect(Self.marks(rig) == [["\(start)..<\(end) 7.0 s by title"]])
        let mark = try #require(rig.sidecars.first?.stretches[.advert].first)
        #expect((mark.at.instant - air).magnitude <= .milliseconds(1))
        #expect(report.stretches[.advert].map(\.json) == [mark.json])
        #expect(try #require(rig.sidecars.first).json["advert"]?.arrayValue?.first?["by"]?.stringValue == "title")
    }

    @Test("An advert that is on when the recording ends, ends with it, and one that was on before begins with it")
    func cut() throws {
        let rig = try RecorderRig { $0.policy = .none }
        rig.hub.begin(RecorderRig.format)
        rig.hub.setAirTime(AirTime(origin: rig.reactor.wallNow, sampleRate: 44_100, isSettled: true))
        rig.hub.setAdvert(.cue)
        rig.play(.seconds(5))
        rig.begin()
        rig.play(.seconds(3))
        let begin = rig.reactor.wallNow - .seconds(3)
        let report = rig.stop()
        #expect(Self.marks(rig) == [["0..<\(report.frames) 3.0 s by cue"]])
        let mark = try #require(report.stretches[.advert].first)
        #expect((mark.at.instant - begin).magnitude < .milliseconds(200))
    }

    @Test("An advert that goes on over files is marked in each, while it goes on and later")
    func files() throws {
        let rig = try RecorderRig(playing: .seconds(3)) { $0.policy = .period(.seconds(5)) }
        let start = rig.hub.position.frames
        rig.hub.setAdvert(.splice)
        rig.play(.seconds(9))
        #expect(rig.sidecars.first.map { $0.stretches[.advert].map(\.position) } == [start])
        rig.hub.setAdvert(nil)
        rig.play(.seconds(6))
        let report = rig.stop()
        let parts = rig.sidecars.flatMap { $0.stretches[.advert] }
        #expect(parts.map(\.position) == [start, 0, 0] && parts.allSatisfy { $0.by == "scte35" })
        #expect(parts.reduce(0) { $0 + $1.frames } == report.stretches[.advert].first?.frames)
        #expect(parts.dropFirst().map(\.at) == rig.sidecars.dropFirst().prefix(2).map(\.at))
    }

    @Test(
        "Audio that is put into a recording later moves adverts, and belongs to the one around it",
        arguments: [0, 1, 2])
    func healed(place: Int) throws {
        let rig = try RecorderRig(playing: .seconds(2)) { $0.policy = .none }
        var lost: [LostFrames] = []
        if place == 0 { lost.append(rig.lose(20)) }
        rig.play(.seconds(1))
        let start = rig.hub.position.frames
        rig.hub.setTitle("Advert")
        rig.play(.seconds(1))
        if place == 1 { lost.append(rig.lose(20)) }
        rig.play(.seconds(1))
        let end = rig.hub.position.frames
        rig.hub.setTitle("Bach - Air")
        rig.play(.seconds(1))
        if place == 2 { lost.append(rig.lose(20)) }
        rig.play(.seconds(1))
        for lost in lost { rig.find(lost) }
        let report = rig.stop()
        #expect(report.healed.count == 1 && report.gaps.isEmpty)
        let begun = start + (place == 0 ? 20 : 0)
        let mark = try #require(report.stretches[.advert].first)
        #expect(mark.range == begun..<end + (place < 2 ? 20 : 0))
        #expect(rig.sidecars.map { $0.stretches[.advert].map(\.json) } == [[mark.json]])
    }

    @Test("Nobody knows whether an advert still runs behind a long gap")
    func longGap() throws {
        let rig = try RecorderRig(playing: .seconds(2)) { $0.policy = .none }
        rig.hub.setTitle("Advert")
        rig.play(.seconds(2))
        let length = rig.lose(20)
        rig.play(.seconds(2))
        #expect(length.frames.count == 20)
        let end = rig.hub.position.frames
        _ = rig.lose(4_000)
        rig.play(.seconds(2))
        rig.hub.setTitle("Advert")
        rig.play(.seconds(2))
        let report = rig.stop()
        let marks = report.stretches[.advert]
        #expect(marks.count == 2 && marks.first?.range.upperBound == end)
        #expect(marks.last?.range.upperBound == report.frames)
    }

    @Test("The address that comes with a title is in each sidecar that has the title, unless it is long")
    func addresses() throws {
        let rig = try RecorderRig(playing: .seconds(1)) { $0.policy = .period(.seconds(5)) }
        rig.hub.setTitle("Bach - Air", url: "https://i.example/1.jpg")
        rig.play(.seconds(6))
        rig.hub.setTitle("Miles Davis - So What", url: "https://i.example/" + String(repeating: "a", count: 600))
        rig.play(.seconds(1))
        _ = rig.stop()
        let titles = rig.sidecars.map { $0.titles.map { "\($0.text) \($0.url ?? "none")" } }
        let air = "Bach - Air https://i.example/1.jpg"
        #expect(titles.flatMap(\.self) == [air, air, "Miles Davis - So What none"])
    }
}
