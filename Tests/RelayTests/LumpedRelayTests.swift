// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Relay
import Stations
import TestSupport
import Testing

/// What listeners get of a station whose audio comes a segment at a time.
@Suite struct LumpedRelayTests {
    /// A station in HLS, as it reaches the hub: a list is looked at after each target duration, or half of it if there
    /// was nothing new, and all new segments come at once.
    private final class Station {
        let rig: RelayRig
        private let segment: Duration
        private let target: Duration
        private let start: MonotonicInstant
        private var nextLook: MonotonicInstant
        private var delivered = 0
        var isAway = false

        init(segment: Duration, target: Duration, phase: Duration = .zero) throws {
            rig = try RelayRig(format: nil)
            (self.segment, self.target) = (segment, target)
            var info = StationInfo(kind: .live, name: "Test", url: "http://radio.test/live.m3u8")
            info.lumps = AudioLumps(of: target)
            rig.hub.announce(info)
            rig.hub.begin(RelayRig.mp3)
            nextLook = rig.reactor.now
            // Three segments come at first.
            start = nextLook - segment * 3 - phase
        }

        /// Lets an eighth of a second pass.
        func step() {
            let now = rig.reactor.now
            if !isAway, now >= nextLook {
                let listed = Int((now - start) / segment)
                nextLook = now + (listed > delivered ? target : target / 2)
                delivered = max(delivered, listed)
                rig.play(Int(segment * delivered / RelayRig.frameDuration) - rig.frames)
            }
            rig.reactor.advance(by: .milliseconds(125))
            rig.reactor.drain()
        }
    }

    /// A client that plays from when it joined.
    private final class Player {
        let client: LoopbackClient
        private let joined: MonotonicInstant
        private(set) var least = Duration.seconds(100)

        init(_ rig: RelayRig) {
            client = rig.listen()
            joined = rig.reactor.now
        }

        func note(_ now: MonotonicInstant) {
            client.collect()
            let audio = RelayRig.frameDuration * (client.body.count / RelayRig.frameSize)
            least = min(least, audio - (now - joined))
        }
    }

    @Test(
        "F35: A listener of a station that sends a segment at a time never runs dry, and gets each frame once",
        arguments: [(10.0, 10.0), (10.4, 10), (9.98, 10), (6.4, 7), (6, 6), (2, 2), (1, 1)])
    func healthy(segment: Double, target: Double) throws {
        for phase in [0.0, 0.3, 0.6, 0.95] {
            let station = try Station(
                segment: .seconds(segment), target: .seconds(target), phase: .seconds(segment * phase))
            var players: [Player] = []
            for step in 0..<(240 * 8) {
                station.step()
                if step % 27 == 1, players.count < 12 { players.append(Player(station.rig)) }
                for player in players { player.note(station.rig.reactor.now) }
            }
            for player in players {
                let heard = try #require(station.rig.heard(player.client.body))
                #expect(heard.numbers.isUnbroken && heard.silent == 0 && player.client.end == nil)
                #expect(player.least > .seconds(0.5), "\(segment) \(phase) \(player.least)")
                #expect(station.rig.frames - (heard.numbers.last ?? 0) <= Int(target * 40) * 2)
            }
            #expect(station.rig.mount.snapshot.skips == 0)
        }
    }

    @Test("F35: A longer outage of such a station is filled with silence before a listener runs dry")
    func outage() throws {
        let station = try Station(segment: .seconds(10), target: .seconds(10))
        for _ in 0..<(45 * 8) { station.step() }
        let player = Player(station.rig)
        for second in 0..<120 {
            station.isAway = (20..<80).contains(second)
            for _ in 0..<8 {
                station.step()
                player.note(station.rig.reactor.now)
            }
        }
        let heard = try #require(station.rig.heard(player.client.body))
        #expect(heard.numbers.isUnbroken && heard.stretches == 1)
        #expect(player.least > .zero && player.client.end == nil, "\(player.least)")
    }
}
