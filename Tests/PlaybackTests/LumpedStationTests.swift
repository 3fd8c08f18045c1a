// SPDX-License-Identifier: MIT

import EventLoopTesting
import Instants
import Playback
import RadioCore
import Stations
import Testing

@Suite("G16: stations that send a segment at a time")
struct LumpedStationTests {
    /// A player of a station in HLS, whose list is looked at after each target duration.
    private struct Rig {
        let rig: PlayerRig
        private let segment: Duration
        private let target: Duration
        private let began: MonotonicInstant
        private var delivered = 0
        private(set) var least = Duration.seconds(100)
        private(set) var most = Duration.zero

        init(segment: Double, target: Double) throws {
            rig = try PlayerRig(isSilent: true)
            (self.segment, self.target) = (.seconds(segment), .seconds(target))
            var info = StationInfo(kind: .live, name: "Test", url: "http://radio.test/live.m3u8")
            info.lumps = AudioLumps(of: .seconds(target))
            rig.programme.hub.announce(info)
            began = rig.reactor.now - .seconds(segment) * 3
        }

        /// Lets the station send for `duration`. If a look shows nothing new, the next one follows after half the time.
        mutating func run(_ duration: Duration) {
            let end = rig.reactor.now + duration
            while rig.reactor.now < end {
                let listed = Int((rig.reactor.now - began) / segment)
                rig.programme.append(segment * (listed - delivered))
                let pause = listed > delivered ? target : target / 2
                delivered = listed
                let next = rig.reactor.now + pause
                while rig.reactor.now < next {
                    rig.wait(.milliseconds(500))
                    let behind = rig.player.snapshot.behind
                    (least, most) = (min(least, behind), max(most, behind))
                }
            }
        }

        mutating func measureAnew() { (least, most) = (.seconds(100), .zero) }
    }

    @Test(
        "Sound begins with the first segment, and never stops; the rate is left alone if the clocks agree",
        arguments: [(10.0, 10.0), (10.4, 10), (9.98, 10), (6.4, 7), (2, 2)])
    func healthy(segment: Double, target: Double) throws {
        var rig = try Rig(segment: segment, target: target)
        rig.run(.seconds(1))
        #expect(rig.rig.state == .playing)
        rig.run(.seconds(4 * 3_600))
        #expect(rig.rig.player.snapshot.underruns == 0 && rig.least > .seconds(1), "\(rig.least)")
        #expect(rig.rig.sound.rates.allSatisfy { $0 == 48_000 }, "\(rig.rig.sound.rates.prefix(5))")
    }

    @Test(
        "At the live edge there is enough audio until the next segment",
        arguments: [(10.0, 10.0), (6.4, 7), (10.4, 10)])
    func liveEdge(segment: Double, target: Double) throws {
        for wait in 0..<5 {
            var rig = try Rig(segment: segment, target: target)
            rig.run(.seconds(100))
            rig.rig.wait(.seconds(Double(wait) * 2))
            rig.rig.player.perform(.liveEdge)
            rig.measureAnew()
            rig.run(.seconds(1_800))
            #expect(rig.rig.player.snapshot.underruns == 0, "\(wait)")
            #expect(rig.most < .seconds(target * 4 + 10), "\(rig.most)")
        }
    }

    @Test("A day with clocks 300 ppm apart: no audio runs out, and none piles up", arguments: [300.0, -300])
    func clocks(error: Double) throws {
        var rig = try Rig(segment: 6.4, target: 7)
        rig.rig.sound.clockError = error
        rig.run(.seconds(24 * 3_600))
        #expect(rig.rig.player.snapshot.underruns == 0 && rig.least > .zero, "\(rig.least)")
        #expect(rig.most < .seconds(40), "\(rig.most)")
        let rates = rig.rig.sound.rates
        #expect(rates.allSatisfy { abs($0 - 48_000) <= 96 })
    }
}
