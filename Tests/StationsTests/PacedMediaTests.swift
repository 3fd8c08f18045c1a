// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import MediaSources
import RadioCore
import RadioFormats
import TestSupport
import Testing

@testable import Stations

struct PacedMediaTests {
    @Test("The sinks receive the frames of one kind, each once, and the air time of all frames") func sinks() throws {
        let (first, second) = (SampleProgramme(400, sampleRate: .dat), SampleProgramme(400, sampleRate: .dat, seed: 2))
        let other = SampleProgramme(400, sampleRate: .cd)
        let sink = Sink([("1.mp3", first.bytes), ("other.mp3", other.bytes), ("2.mp3", second.bytes)], ahead: 2)
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

    @Test("The demo is played in real time with its titles") func demo() throws {
        let sink = Sink(Self.demo, ahead: 4)
        sink.reactor.advance(by: .seconds(120))
        #expect(
            sink.titles == [
                "Aircheck - Sign On", "Aircheck Ensemble - First Light", "Aircheck Ensemble - Waltz for a Small Window",
                "Aircheck Night Band - Last Bus Home",
            ])
        #expect(
            sink.formats.map(\.format) == [
                StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 44100, channels: 2)
            ])
        #expect(sink.skipped.isEmpty && sink.endings == [nil] && sink.bytes == DemoProgramme.frames)
        #expect((60...90).contains(sink.played))
        // The end is reported when the last frame has played, minus the time that the source is ahead.
        let ended = try #require(sink.endedAt)
        #expect(abs((ended - sink.begunAt).inSeconds - (sink.played - 4)) < 0.13)
    }

    @Test("The source is never behind, nor ahead by more than one tick") func pace() {
        let sink = Sink(Self.demo, ahead: 2)
        for tick in 1...480 {
            sink.reactor.advance(by: .microseconds(62_500))
            let wanted = Double(tick) / 16 + 2
            #expect(sink.played > wanted && sink.played < wanted + 0.03)
        }
    }

    @Test("A repeating source never ends until it is stopped, and then once") func repeating() {
        let sink = Sink(Array(Self.demo.prefix(1)), repeats: true)
        sink.reactor.advance(by: .seconds(60))
        #expect(sink.endings.isEmpty && abs(sink.played - 60) < 0.1 && sink.titles == ["Aircheck - Sign On"])
        sink.station.stop()
        sink.station.stop()
        sink.reactor.advance(by: .seconds(30))
        #expect(sink.endings == [nil] && abs(sink.played - 60) < 0.1)
    }

    @Test("A short pause of the process is caught up, and a long one is not") func pauses() {
        let sink = Sink(Self.demo)
        sink.reactor.advance(by: .seconds(1))
        sink.reactor.standStill(for: .seconds(5))
        #expect(abs(sink.played - 6) < 0.1)
        sink.reactor.standStill(for: .seconds(20))
        sink.reactor.advance(by: .seconds(1))
        #expect(abs(sink.played - 7) < 0.1)
    }

    @Test("Each item that cannot be played is skipped, and having no playable item is a failure") func unplayable() {
        let sink = Sink(
            [("a.txt", Array("words and words and words, but no music".utf8)), ("b.mp3", [])], repeats: true)
        sink.reactor.advance(by: .seconds(1))
        #expect(sink.skipped == ["a.txt", "b.mp3"])
        #expect(sink.endings.map { $0?.failureClass } == [.notAudio])
    }

    @Test("A source may be stopped within any call") func stopping() {
        for event in 2..<20 {
            let sink = Sink(Self.demo)
            sink.stopAfterEvents = event
            sink.reactor.advance(by: .seconds(2))
            // What was gathered before the stop, and the end, may follow.
            #expect((event + 1...event + 2).contains(sink.events) && sink.endings == [nil])
        }
    }

    @Test("Each frame of an hour at two sample rates has its time without drift") func noDrift() {
        let sink = Sink { Metronome() }
        sink.reactor.advance(by: .seconds(3600))
        var due = Duration.zero
        var (earliest, latest) = (Duration.zero, Duration.zero)
        for frame in sink.frames {
            let late = frame.at - sink.begunAt - due
            earliest = min(earliest, late)
            latest = max(latest, late)
            due += frame.length
        }
        #expect(earliest == .zero && latest < .milliseconds(63))
        #expect(abs(due.inSeconds - 3600) < 0.1)
        #expect(sink.formats.count > 100)
    }

    @Test("A short pause of the steps is caught up, and a long one is not") func pausingSteps() {
        let tap = Tap(SampleProgramme(10_000))
        let sink = Sink(ahead: 2) { tap }
        sink.reactor.advance(by: .seconds(100))
        #expect(sink.frames.isEmpty)
        tap.isOpen = true
        sink.reactor.advance(by: .seconds(1))
        #expect(abs(sink.played - 3) < 0.1)
        tap.isOpen = false
        sink.reactor.advance(by: .seconds(8))
        tap.isOpen = true
        sink.reactor.advance(by: .seconds(1))
        #expect(abs(sink.played - 12) < 0.1)
        tap.isOpen = false
        sink.reactor.advance(by: .seconds(600))
        tap.isOpen = true
        sink.reactor.advance(by: .seconds(1))
        // The audio delivered ahead has played in the meantime, and the same amount is delivered ahead again.
        #expect(abs(sink.played - 15) < 0.3)
    }

    private static var demo: [(name: String, bytes: [UInt8])] {
        DemoProgramme.pieces.enumerated().map { ("\($0).mp3", Array($1)) }
    }
}

/// Records what a station of items sends its sinks, in virtual time.
private final class Sink: StreamSink {
    let reactor = ManualReactor()
    let startedAt: WallInstant
    let begunAt: MonotonicInstant
    let station: Programme
    private(set) var bytes: [UInt8] = []
    private(set) var formats: [(format: StreamFormat, position: Position)] = []
    private(set) var discontinuities: [Discontinuity.Kind] = []
    private(set) var titles: [String] = []
    private(set) var airTimes: [AirTime] = []
    private(set) var endings: [Failure?] = []
    private(set) var endedAt: MonotonicInstant?
    private(set) var skipped: [String] = []
    /// For each frame, the time of its delivery, and its length.
    private(set) var frames: [(at: MonotonicInstant, length: Duration)] = []
    /// Seconds of audio delivered.
    private(set) var played = 0.0
    private(set) var events = 0
    var stopAfterEvents = Int.max

    convenience init(_ items: [(name: String, bytes: [UInt8])], repeats: Bool = false, ahead: Int64 = 0) {
        self.init(ahead: ahead) {
            Playout(items.map { MediaItem(name: $0.name, bytes: $0.bytes) }, repeats: repeats)
        }
    }

    init(ahead: Int64 = 0, _ steps: @escaping () -> any StepSource) {
        (startedAt, begunAt) = (reactor.wallNow, reactor.now)
        station = Programme(
            StationInfo(kind: .live, name: "Test", url: ""), ahead: .seconds(ahead), reactor
        ) { () throws(Failure) in steps() }
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
        case .chunk(let chunk):
            chunk.slice.withBytes { bytes += $0 }
            for frame in 0..<chunk.frames.count {
                frames.append((reactor.now, chunk.subchunk(frame..<frame + 1).duration))
            }
            played += chunk.duration.inSeconds
        case .airTime(let airTime): airTimes.append(airTime)
        case .ended(let failure):
            endings.append(failure)
            endedAt = reactor.now
        case .station, .hole, .splice, .stretch, .found: break
        }
        events += 1
        if events == stopAfterEvents { station.stop() }
    }
}

/// Steps that do not come while the tap is closed.
private final class Tap: StepSource {
    var isOpen = false
    private let playout: Playout

    init(_ programme: SampleProgramme) {
        playout = Playout([MediaItem(name: "a.mp3", bytes: programme.bytes)], repeats: false)
    }

    func next() -> MediaStep? { isOpen ? playout.next() : nil }
    func close() { playout.close() }
}

/// Steps without end that alternate between two sample rates: a thousand frames of one byte have one rate, the next
/// thousand the other.
private final class Metronome: StepSource {
    private var calls = 0

    func next() -> MediaStep? {
        defer { calls += 1 }
        let sampleRate = calls & 2 == 0 ? 44_100 : 48_000
        var parts = StreamParts()
        if calls & 1 == 0 {
            parts.append(.format(StreamFormat(codec: .mp3, sampleRate: sampleRate, channels: 2)))
        } else {
            for _ in 0..<1000 {
                withUnsafeBytes(of: UInt8(0)) { parts.append(FrameBatch(FrameFacts(samples: 1152), length: 1), $0) }
            }
        }
        return .parts(parts)
    }

    func close() {}
}
