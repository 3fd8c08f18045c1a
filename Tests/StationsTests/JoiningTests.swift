// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import RadioFormats
import TestSupport
import Testing

@testable import Stations

/// How connections are joined if they end, stall or are stopped at the worst moment: by hand, in virtual time.
struct JoiningTests {
    private let station = VirtualStation.byHand()
    private let programme = SampleProgramme(200)
    private let other = SampleProgramme(200, seed: 2)

    @Test("A sink that stops the station at a gap receives that gap once and then only the end")
    func stopAtGap() throws {
        station.sink.meddle = { [station = station.station] event in
            if case .discontinuity(let discontinuity) = event, case .gap = discontinuity.kind { station.stop() }
        }
        try station.connection(0).bring(programme.frames(0..<40), ends: true)
        station.reactor.advance(by: .seconds(1))
        try station.connection(1).bring(other.frames(0..<40))
        station.reactor.advance(by: .seconds(3))
        #expect(station.heard.gaps.count == 1)
        #expect(station.heard.order.suffix(2) == ["discontinuity", "end"])
        expect(programme.frames(0..<40))
    }

    @Test("Frames that were held as already delivered are not delivered again after a splice")
    func heldAcrossSplice() throws {
        try station.connection(0).bring(programme.frames(0..<100), ends: true)
        station.reactor.advance(by: .seconds(1))
        let second = try station.connection(1)
        second.bring(other.frames(0..<100))
        station.reactor.advance(by: .seconds(3))
        // The second connection repeats the programme from before the cut, but breaks off.
        second.bring(programme.frames(80..<95), ends: true)
        station.reactor.advance(by: .seconds(1))
        let third = try station.connection(2)
        third.bring(other.frames(60..<100) + programme.frames(80..<120))
        station.reactor.advance(by: .seconds(3))
        let expected = programme.frames(0..<100) + other.frames(0..<100) + programme.frames(100..<120)
        expect(expected)
        #expect(station.heard.splices.count == 1 && station.heard.foreign.count == 1)
    }

    @Test("The frames of a hedge are delivered when it takes over, although it is silent by then")
    func silentHedge() throws {
        try station.connection(0).bring(programme.frames(0..<40))
        station.reactor.advance(by: .seconds(3))
        try station.connection(1).bring(other.frames(0..<40))
        station.reactor.advance(by: .milliseconds(7_500))
        // The hedge was opened in the middle of the silence, and the audio of its burst had been on air before.
        let gap = try #require(station.heard.gaps.first)
        #expect(gap.cause == "the station stopped sending audio")
        let burst = Duration.samples(40 * 1_152, at: 44_100)
        let length = try #require(gap.length)
        #expect(abs((length - (.seconds(3) - burst)).inSeconds) < 0.001, "\(length)")
        #expect(station.heard.gaps.count == 1 && station.heard.splices.isEmpty)
        expect(programme.frames(0..<40) + other.frames(0..<40))
    }

    @Test("A hedge does not continue from audio that was delivered before the first connection's gap")
    func hedgeBesideGap() throws {
        let (station, _, hedge) = try returned(with: other.frames(0..<50))
        station.reactor.advance(by: .milliseconds(500))
        #expect(station.heard.gaps.count == 1)
        hedge.bring(other.frames(20..<70))
        station.reactor.advance(by: .seconds(4))
        expect(programme.frames(0..<100) + other.frames(0..<70), from: station)
        #expect(station.heard.gaps.count == 1)
    }

    @Test("The last frame of a connection that ends beside its hedge is delivered once")
    func endBesideHedge() throws {
        for (early, late) in [(80..<98, 98..<120), (80..<80, 80..<120)] {
            let station = VirtualStation.byHand()
            try station.connection(0).bring(programme.frames(0..<100))
            station.reactor.advance(by: .seconds(3))
            let hedge = try station.connection(1)
            if !early.isEmpty { hedge.bring(programme.frames(early)) }
            try station.connection(0).end()
            station.reactor.advance(by: .milliseconds(100))
            // The frame that was released by the end of the first connection does not count as new audio.
            #expect(!hedge.isCancelled)
            hedge.bring(programme.frames(late))
            station.reactor.advance(by: .seconds(2))
            expect(programme.frames(0..<120), from: station)
            #expect(station.heard.gaps.isEmpty && station.heard.splices.count == 1)
            #expect(station.origin.log.accepts.count == 2)
        }
    }

    @Test("A hedge continues from the frames that a new connection held when it broke off")
    func holdingBesideHedge() throws {
        let (station, back, hedge) = try returned(with: programme.frames(130..<150))
        hedge.bring(programme.frames(140..<170))
        back.end()
        station.reactor.advance(by: .seconds(2))
        expect(programme.frames(0..<100) + programme.frames(130..<170), from: station)
        #expect(station.heard.gaps.count == 1 && station.heard.splices.count == 1)
    }

    @Test("A hedge that continues from the tail wins over frames that the first connection holds undecided")
    func matchBesideHeld() throws {
        let (station, _, hedge) = try returned(with: programme.frames(130..<150))
        hedge.bring(programme.frames(90..<170))
        station.reactor.advance(by: .seconds(1))
        expect(programme.frames(0..<169), from: station)
        #expect(station.heard.gaps.isEmpty && station.heard.splices.count == 1)
    }

    /// What a hedge that lags behind the tail does after it has become the first connection.
    enum Behind: CaseIterable {
        case ends, fallsSilent, continues, bringsOther, bringsOtherAndEnds
    }

    @Test(
        "Frames that a broken-off connection held are not lost when a lagging hedge takes over",
        arguments: Behind.allCases)
    func behindBesideHeld(_ behind: Behind) throws {
        let (station, back, hedge) = try returned(with: programme.frames(130..<150))
        hedge.bring(programme.frames(88..<98))
        back.end()
        station.reactor.advance(by: .milliseconds(100))
        #expect(!hedge.isCancelled && station.origin.log.accepts.count == 3)
        expect(programme.frames(0..<100), from: station)
        let together = programme.frames(0..<100) + programme.frames(130..<150)
        switch behind {
        case .ends:
            hedge.end()
            station.reactor.advance(by: .milliseconds(100))
            expect(together, from: station)
            #expect(station.heard.gaps.count == 1)
        case .fallsSilent:
            station.reactor.advance(by: .seconds(30))
            expect(together, from: station)
            #expect(station.heard.gaps.count == 1)
        case .continues:
            hedge.bring(programme.frames(98..<170))
            station.reactor.advance(by: .milliseconds(100))
            expect(programme.frames(0..<169), from: station)
            #expect(station.heard.gaps.isEmpty && station.heard.splices.count == 1)
        case .bringsOtherAndEnds:
            hedge.bring(other.frames(0..<40))
            hedge.end()
            station.reactor.advance(by: .milliseconds(100))
            #expect(station.heard.audio.starts(with: together))
            #expect(station.heard.audio.suffix(40 * 417) == other.frames(0..<40)[...])
            #expect(station.heard.gaps.count == 2)
        case .bringsOther:
            for frame in 0..<120 {
                hedge.bring(other.frames(frame..<frame + 1))
                station.reactor.advance(by: .samples(1_152, at: 44_100))
            }
            #expect(station.heard.audio.starts(with: together))
            #expect(station.heard.audio.suffix(119 * 417) == other.frames(0..<119)[...])
            #expect(station.heard.gaps.count == 2)
        }
    }

    @Test("A burst that every connection repeats during a long silence is delivered once")
    func sameBurst() throws {
        try station.connection(0).bring(programme.frames(0..<100))
        var answered = 1
        for _ in 0..<120 {
            station.reactor.advance(by: .milliseconds(500))
            for connection in station.origin.byHand[answered...] where !connection.isCancelled {
                connection.bring(programme.frames(60..<100))
            }
            answered = station.origin.log.accepts.count
        }
        #expect(answered > 5)
        expect(programme.frames(0..<100))
        // The next connection breaks off as soon as it has sent the same burst.
        for connection in station.origin.byHand where !connection.isCancelled { connection.end() }
        station.reactor.advance(by: .milliseconds(100))
        for connection in station.origin.byHand where !connection.isCancelled {
            connection.bring(programme.frames(60..<100), ends: true)
        }
        station.reactor.advance(by: .seconds(1))
        expect(programme.frames(0..<100))
        for connection in station.origin.byHand where !connection.isCancelled {
            connection.bring(programme.frames(100..<150))
        }
        station.reactor.advance(by: .seconds(3))
        expect(programme.frames(0..<150))
        #expect(station.heard.gaps.count <= 1)
    }

    @Test("Frames that both connections held are delivered once when both are left")
    func bothHeld() throws {
        let (station, _, hedge) = try returned(with: programme.frames(130..<150))
        hedge.bring(programme.frames(140..<170), ends: true)
        // The first connection's time runs out, and so does the time of another hedge, which hangs.
        station.reactor.advance(by: .seconds(20))
        expect(programme.frames(0..<100) + programme.frames(130..<170), from: station)
        #expect(station.heard.gaps.count == 1)
    }

    @Test("The frames of a first address that hung and closed are delivered before those of its hedge")
    func firstFrames() throws {
        let station = VirtualStation.byHand { $0.urls = ["http://radio.test/", "http://mirror.test/"] }
        station.reactor.advance(by: .seconds(3))
        let hedge = try station.connection(1)
        try station.connection(0).bring(programme.frames(0..<1), ends: true)
        hedge.bring(other.frames(0..<50))
        station.reactor.advance(by: .seconds(3))
        expect(programme.frames(0..<1) + other.frames(0..<50), from: station)
        #expect(station.heard.gaps.count == 1)
    }

    @Test("A file in place of a known station makes a gap, and its end does not end the programme")
    func fileInstead() throws {
        try station.connection(0).bring(programme.frames(0..<40), ends: true)
        station.reactor.advance(by: .seconds(1))
        let length = "\(40 * 417)"
        try station.connection(1).bring(
            other.frames(0..<40), fields: [("content-length", length), ("accept-ranges", "bytes")], isStation: false,
            ends: true)
        #expect(station.heard.gaps.count == 1)
        station.reactor.advance(by: .seconds(1))
        #expect(!station.heard.hasEnded && station.origin.log.accepts.count == 3)
    }

    @Test("A sink may end everything while held frames are released")
    func endWhileReleased() {
        let (hub, reactor) = (StreamHub(), ManualReactor())
        let inlet = HubInlet(hub: hub)
        let filter = ForeignFilter(inlet: inlet, reactor: reactor)
        let sink = VirtualStation.Sink(reactor)
        hub.attach(sink)
        func take(_ frames: Range<Int>) {
            for frame in frames {
                programme.frames(frame..<frame + 1).withUnsafeBytes {
                    let mark = FrameMark($0, nanoseconds: 26_122_448)
                    filter.take(FrameBatch(FrameFacts(samples: 1_152, mark: mark), length: $0.count), $0)
                }
            }
        }
        filter.take(.format(StreamFormat(codec: .mp3, sampleRate: 44_100, channels: 2)))
        take(0..<40)
        hub.flush()
        filter.watch(for: inlet.bookmark, missing: .zero, reactor.readClocks())
        take(20..<30)
        filter.take(.title("Held"))
        take(30..<35)
        hub.flush()
        #expect(sink.heard.frames == 40)
        sink.meddle = { event in
            guard case .title = event else { return }
            filter.release()
            hub.end(nil)
        }
        filter.release()
        hub.flush()
        #expect(sink.heard.order.last == "end" && sink.heard.titles.map(\.text) == ["Held"])
    }

    @Test("Titles and formats that no frame follows take no room, however many there are")
    func floods() throws {
        var held = StreamParts()
        let formats = [44_100, 48_000].map { StreamFormat(codec: .mp3, sampleRate: $0, channels: 2) }
        for number in 0..<10_000 {
            held.append(.title("\(number)"))
            held.append(.format(formats[number % 2]))
            held.append(.resync)
        }
        #expect(held.size < 200)
        let frame: [UInt8] = [1, 2, 3]
        frame.withUnsafeBytes { held.append(FrameBatch(FrameFacts(samples: 1_152), length: 3), $0) }
        held.append(.title("after"))
        var titles: [String] = []
        var bytes = 0
        frame.withUnsafeBytes { held.append(FrameBatch(FrameFacts(samples: 1_152), length: 3), $0) }
        let first = held.prefix(1)
        first.forEach {
            switch $0 {
            case .part(.title(let text, _, _)): titles.append(text)
            case .part: break
            case .frames(_, let frames): bytes += frames.count
            }
        }
        #expect(titles == ["9999"])
        #expect(bytes == 3)
        #expect(first.firstFormat == formats[1])
        #expect(held.frames == 1 && held.size < 200)
    }
}

extension JoiningTests {
    /// A station that delivered a hundred frames and was cut off. Its next connection (`back`) has sent `frames` and
    /// fallen silent. The station has not yet decided what these frames are, and a hedge is open.
    private func returned(
        with frames: [UInt8]
    ) throws -> (station: VirtualStation, back: VirtualTransfer, hedge: VirtualTransfer) {
        let station = VirtualStation.byHand { $0.limits.stall = .seconds(3) }
        try station.connection(0).bring(programme.frames(0..<100), ends: true)
        station.reactor.advance(by: .milliseconds(100))
        let back = try station.connection(1)
        back.bring(frames)
        station.reactor.advance(by: .milliseconds(1_600))
        return (station, back, try station.connection(2))
    }

    /// Expects that exactly this audio was delivered.
    private func expect(
        _ audio: [UInt8], from station: VirtualStation? = nil, at location: SourceLocation = #_sourceLocation
    ) {
        let heard = (station ?? self.station).heard.audio
        let same = zip(heard, audio).prefix { $0 == $1 }.count
        #expect(
            same == audio.count && heard.count == audio.count,
            "\(heard.count / 417) frames, \(same / 417) of them right, for \(audio.count / 417)",
            sourceLocation: location)
    }
}
