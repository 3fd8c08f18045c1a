// SPDX-License-Identifier: MIT

import Instants
import RadioFormats
import Stations
import TestSupport
import Testing

@testable import RadioCore

/// What sinks receive, and in which order.
struct StreamHubTests {
    private let format = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 44_100, channels: 2)
    private let hub = StreamHub()

    private final class Sink: StreamSink {
        var tolerance: Duration? = .zero
        var heard = Heard()
        var act: ((Sink, StreamEvent) -> Void)?

        func receive(_ event: StreamEvent) {
            heard.add(event, at: MonotonicInstant(nanoseconds: 0), WallInstant(nanoseconds: 0))
            act?(self, event)
        }
    }

    @Test("A late sink first receives what applies at that moment") func lateSink() {
        begin()
        hub.setTitle("A")
        hub.setAirTime(airTime)
        feed(10)
        let late = Sink()
        hub.attach(late)
        feed(5)
        #expect(late.heard.order == ["station", "format", "discontinuity", "air time", "title", "chunk"])
        let here = Position(frames: 10, bytes: 4_170, samples: 11_520)
        #expect(late.heard.titles == [StreamTitle(text: "A", position: here)])
        #expect(late.heard.discontinuities == [Discontinuity(kind: .firstJoin, position: here)])
        #expect(late.heard.formats.map(\.position) == [here] && late.heard.positions == [here])
        #expect(late.heard.frames == 5)
    }

    @Test("B41: A chunk has the samples of its frames even if the station's count of samples is at its limit")
    func sampleLimit() {
        let start = Position(frames: 7, bytes: 1_000, samples: .max - 2_000)
        let hub = StreamHub(from: start)
        let sink = Sink()
        hub.attach(sink)
        hub.begin(format)
        #expect(!hub.hasAudio)
        for _ in 0..<3 {
            for _ in 0..<2 {
                [UInt8](repeating: 0, count: 417).withUnsafeBytes { hub.append($0, samples: 1_152, backReference: 0) }
            }
            hub.flush()
        }
        #expect(hub.hasAudio)
        #expect(sink.heard.samples == [2_304, 2_304, 2_304])
        #expect(sink.heard.positions.map(\.samples) == [.max - 2_000, .max, .max])
        #expect(hub.position == Position(frames: 13, bytes: 3_502, samples: .max))
    }

    @Test("The most impatient sink determines how long audio may wait") func tolerance() {
        let (observer, file, player) = (Sink(), Sink(), Sink())
        (observer.tolerance, file.tolerance) = (nil, .milliseconds(300))
        var told: [Duration?] = []
        hub.onTolerance = { [unowned hub] in told.append(hub.tolerance) }
        hub.attach(observer)
        #expect(hub.tolerance == nil)
        hub.attach(file)
        hub.attach(player)
        hub.detach(player)
        hub.detach(file)
        #expect(told == [.milliseconds(300), .zero, .milliseconds(300), nil])
    }

    @Test("Gathered frames are delivered before any event that follows them") func gatheredFrames() {
        let sink = Sink()
        hub.attach(sink)
        begin()
        append(3)
        hub.setTitle("A")
        append(3)
        hub.report(.resync)
        append(3)
        hub.announce(StationInfo(kind: .live, name: "Other", url: "http://a.example/"))
        append(3)
        hub.flush()
        #expect(
            sink.heard.order == [
                "station", "format", "discontinuity", "chunk", "title", "chunk", "discontinuity", "chunk", "station",
                "chunk",
            ])
        #expect(sink.heard.positions.map(\.frames) == [0, 3, 6, 9])
        #expect(sink.heard.titles.map(\.position.frames) == [3])
    }

    @Test("The air time is reported before the audio that it dates") func airTimeFirst() {
        let sink = Sink()
        hub.attach(sink)
        begin()
        append(3)
        hub.setAirTime(airTime)
        hub.flush()
        #expect(sink.heard.order == ["station", "format", "discontinuity", "air time", "chunk"])
    }

    @Test("The air time from before a gap no longer applies to any sink") func airTimeAfterGap() {
        begin()
        hub.setAirTime(airTime)
        hub.report(.gap(Gap(at: WallInstant(nanoseconds: 0), length: nil, cause: "test")))
        let late = Sink()
        hub.attach(late)
        #expect(late.heard.airTimes.isEmpty)
        // The same map counts as an update now.
        hub.setAirTime(airTime)
        #expect(late.heard.airTimes == [airTime])
    }

    @Test("A value that does not change makes no event") func unchanged() {
        let sink = Sink()
        hub.attach(sink)
        begin()
        begin()
        hub.setTitle("A")
        hub.setTitle("A")
        #expect(sink.heard.order == ["station", "format", "discontinuity", "discontinuity", "title"])
    }

    @Test("A sink may leave, or detach another one, while it receives an event") func leaving() {
        let (first, second) = (Sink(), Sink())
        first.act = { [hub] sink, event in
            guard case .title = event else { return }
            hub.detach(sink)
            hub.detach(second)
        }
        hub.attach(first)
        hub.attach(second)
        begin()
        hub.setTitle("A")
        feed(3)
        #expect(first.heard.frames == 0)
        #expect(second.heard.frames == 0)
    }

    @Test("The end is reported once, after all frames") func end() {
        let sink = Sink()
        hub.attach(sink)
        begin()
        append(3)
        hub.end(nil)
        hub.end(Failure(.internal, "again", remedy: ""))
        #expect(sink.heard.order.suffix(2) == ["chunk", "end"] && sink.heard.frames == 3)
        #expect(sink.heard.failure == nil)
    }

    private var airTime: AirTime {
        AirTime(origin: WallInstant(nanoseconds: 5), sampleRate: 44_100, isSettled: true)
    }

    private func begin() {
        hub.announce(StationInfo(kind: .live, name: "Nova", url: "http://nova.example/"))
        hub.begin(format)
        hub.report(.firstJoin)
    }

    private func append(_ count: Int) {
        let frames = SampleProgramme(count).bytes
        frames.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: 417) {
                let frame = UnsafeRawBufferPointer(rebasing: bytes[start..<start + 417])
                hub.append(frame, samples: 1_152, backReference: 0)
            }
        }
    }

    private func feed(_ count: Int) {
        append(count)
        hub.flush()
    }
}
