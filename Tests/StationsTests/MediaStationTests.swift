// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import MediaSources
import RadioCore
import RadioFormats
import Stations
import TestSupport
import Testing

struct MediaStationTests {
    @Test("The sinks receive the frames of one kind, each once, and the air time of all frames") func sinks() throws {
        let (first, second) = (SampleProgramme(400, sampleRate: .dat), SampleProgramme(400, sampleRate: .dat, seed: 2))
        let other = SampleProgramme(400, sampleRate: .cd)
        let sink = try Sink([("1.mp3", first.bytes), ("other.mp3", other.bytes), ("2.mp3", second.bytes)])
        sink.reactor.advance(by: .seconds(30))
        #expect(sink.bytes == first.bytes + second.bytes)
        #expect(sink.formats.map(\.format.sampleRate) == [48_000] && sink.skipped == ["other.mp3"])
        #expect(sink.formats.allSatisfy { $0.position.frames == 0 && $0.position.samples == 0 })
        #expect(sink.discontinuities == [.firstJoin])
        #expect(sink.titles == ["1", "2"])
        #expect(sink.endings == [nil])
        // Two seconds are sent ahead. Their frames are on air as soon as they are sent.
        let airTime = try #require(sink.airTimes.last { $0.sampleRate == 48_000 })
        let began = airTime.origin - sink.startedAt
        #expect(abs(began.inSeconds + 2) < 0.1, "\(began)")
    }

    @Test("Items that cannot be played are reported, and having no playable item is a failure") func unplayable() throws
    {
        let sink = try Sink([("a.txt", Array("words and words and words, but no music".utf8)), ("b.mp3", [])])
        sink.reactor.advance(by: .seconds(1))
        #expect(sink.skipped == ["a.txt", "b.mp3"])
        #expect(sink.endings.map { $0?.failureClass } == [.notAudio])
    }

    @Test("A station of items ends once when it is stopped") func stopped() throws {
        let sink = try Sink([("a.mp3", SampleProgramme(400).bytes)], repeats: true)
        sink.reactor.advance(by: .seconds(30))
        sink.station.stop()
        sink.station.stop()
        sink.reactor.advance(by: .seconds(30))
        #expect(sink.endings == [nil])
        let seconds = Double(sink.bytes.count / 417 * 1152) / 44_100
        #expect(abs(seconds - 32) < 0.1)
    }
}

/// Records what a station of items sends its sinks.
private final class Sink: StreamSink {
    let reactor = ManualReactor()
    let startedAt: WallInstant
    let station: Programme
    private(set) var bytes: [UInt8] = []
    private(set) var formats: [(format: StreamFormat, position: Position)] = []
    private(set) var discontinuities: [Discontinuity.Kind] = []
    private(set) var titles: [String] = []
    private(set) var airTimes: [AirTime] = []
    private(set) var endings: [Failure?] = []
    private(set) var skipped: [String] = []

    init(_ items: [(name: String, bytes: [UInt8])], repeats: Bool = false) throws {
        startedAt = reactor.wallNow
        station = Programme(
            items.map { MediaItem(name: $0.name, bytes: $0.bytes) },
            info: StationInfo(kind: .live, name: "Test", url: ""), repeats: repeats, ahead: .seconds(2),
            reactor: reactor)
        station.hub.attach(self)
        station.onNotice = { [unowned self] in
            if case .skipped(let item, _) = $0 { skipped.append(item) }
        }
        station.start()
    }

    func receive(_ event: StreamEvent) {
        switch event {
        case .format(let format, let position): formats.append((format, position))
        case .discontinuity(let discontinuity): discontinuities.append(discontinuity.kind)
        case .title(let title): titles.append(title.text)
        case .chunk(let chunk): chunk.slice.withBytes { bytes += $0 }
        case .airTime(let airTime): airTimes.append(airTime)
        case .ended(let failure): endings.append(failure)
        case .station, .splice, .stretch: break
        }
    }
}
