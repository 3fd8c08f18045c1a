// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Stations
import TestSupport
import Testing

struct HLSHealingTests {
    private static let programme = Broadcast([.music(.seconds(500))], MPEGShape(sampleRate: 48_000))

    private static func rendition(window: Int) -> HLSRendition { HLSRendition(programme, window: window) }

    @Test("A segment that is given up for listeners is put into recordings when it comes")
    func lateSegment() throws {
        let script = HLSScript(
            Self.rendition(window: 60), faults: [.segments({ $0.number == 80 }, first: 4, .status(404))])
        let hls = VirtualHLSStation(script, of: Self.programme, isPatient: false)
        let outcome = hls.run(for: .seconds(120))
        #expect(outcome.heard.gaps.map(\.length) == [.milliseconds(984)])
        let (isWhole, found) = (outcome.isRecordedWhole, outcome.heard.found.map(\.length))
        #expect(isWhole, "\(found)")
    }

    @Test("A segment that comes minutes after it was given up is put into recordings") func muchLater() throws {
        let fault = HLSFault(.status(404)) { $0.segment?.number == 80 && $0.time < .seconds(270) }
        let script = HLSScript(Self.rendition(window: 400), faults: [fault])
        let hls = VirtualHLSStation(script, of: Self.programme, isPatient: false)
        let outcome = hls.run(for: .seconds(290))
        #expect(outcome.heard.gaps.map(\.length) == [.milliseconds(984)])
        let (isWhole, found) = (outcome.isRecordedWhole, outcome.heard.found.map(\.length))
        #expect(isWhole, "\(found)")
    }

    @Test("What was found elsewhere is not asked for any more") func foundElsewhere() throws {
        let script = HLSScript(
            Self.rendition(window: 300), faults: [.segments({ $0.number == 80 }, .status(404))])
        let hls = VirtualHLSStation(
            [("radio.test", script), ("long.test", HLSScript(Self.rendition(window: 300)))], path: "/live.m3u8",
            of: Self.programme, isPatient: false
        ) { $0.healing = ["http://long.test/live.m3u8"] }
        let outcome = hls.run(for: .seconds(120))
        let isWhole = outcome.isRecordedWhole
        #expect(isWhole)
        let last = hls.servers[0].record.entries.last { $0.asked.segment?.number == 80 }
        let time = try #require(last?.asked.time)
        #expect(time < .seconds(95), "\(time)")
    }

    @Test(
        "A segment that no list has any more is still asked for by its address, and put into recordings",
        arguments: [30, 60])
    func rememberedAddress(seconds: Int) throws {
        var rendition = Self.rendition(window: 10)
        rendition.keeps = .seconds(200)
        // It is missing for so long, of which it is listed for ten seconds.
        let until = Duration.seconds(80 + seconds)
        let script = HLSScript(
            rendition, faults: [HLSFault(.status(404)) { $0.segment?.number == 80 && $0.time < until }])
        let hls = VirtualHLSStation(script, of: Self.programme, isPatient: false)
        let outcome = hls.run(for: .seconds(150))
        #expect(outcome.heard.gaps.map(\.length) == [.milliseconds(984)])
        let (isWhole, found) = (outcome.isRecordedWhole, outcome.heard.found.map(\.length))
        #expect(isWhole, "\(found)")
        let late = hls.servers[0].record.entries.filter { $0.asked.segment?.number == 80 }.last
        #expect(late?.status == 200 && (late?.asked.time ?? .zero) >= until)
    }

    @Test("What a short list has lost comes from a longer list of the programme", arguments: [(20, 120), (60, 300)])
    func longerList(window: Int, outage: Int) throws {
        let end = Duration.seconds(100 + outage)
        let short = HLSScript(
            Self.rendition(window: window), faults: [.everything(during: .seconds(100)..<end, .status(503))])
        let long = HLSScript(Self.rendition(window: 600))
        let hls = VirtualHLSStation(
            [("radio.test", short), ("long.test", long)], path: "/live.m3u8", of: Self.programme
        ) { $0.healing = ["http://long.test/live.m3u8"] }
        let outcome = hls.run(for: end + .seconds(30) - .seconds(60))
        #expect(outcome.heard.gaps.count == 1)
        let (isWhole, found) = (outcome.isRecordedWhole, outcome.heard.found.map(\.length))
        #expect(isWhole, "\(found)")
    }

    @Test("The gap of a station without segments is filled from a list of the same programme")
    func stationWithoutSegments() throws {
        let reactor = VirtualHLSStation(HLSScript(Self.rendition(window: 5))).reactor
        let hls = VirtualHLS(HLSScript(Self.rendition(window: 300)).with { $0.onAir = .seconds(60) }, in: reactor)
        let icy = LiveScript(
            .stream(LiveStream(Self.programme)), absences: [.init(.seconds(60), for: .seconds(70), .gone)],
            onAir: .seconds(60))
        let station = VirtualStation(
            hosts: ["radio.test": icy, "long.test": hls.live], hearing: HeardFrames(of: Self.programme),
            reactor: reactor
        ) { $0.healing = ["http://long.test/live.m3u8"] }
        let outcome = station.run(for: .seconds(200))
        #expect(outcome.heard.gaps.count == 1)
        let (isWhole, found) = (outcome.isRecordedWhole, outcome.heard.found.map(\.length))
        #expect(isWhole, "\(found)")
    }
}
