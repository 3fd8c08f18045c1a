// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import Playback
import RadioCore
import Stations
import TestSupport
import Testing

/// A player of a station in HLS, in virtual time.
struct HLSPlayerTests {
    @Test("Through twenty faults the player is never silent for more than 12 s") func mixedTrouble() throws {
        let programme = Broadcast([.music(.seconds(850))])
        let reactor = ManualReactor()
        let hls = VirtualHLS(HLSMixedTrouble.script(of: programme), in: reactor)
        let origin = VirtualOrigin(hosts: ["radio.test": hls.live], reactor: reactor)
        let settings = StationSettings(urls: ["http://radio.test/live.m3u8"], userAgent: "Aircheck/test")
        let station = Programme(settings: settings, client: origin, reactor: reactor, group: nil)
        let sound = VirtualSound(reactor)
        sound.keeps = false
        let player = try Player(PlayerSettings(), reactor: reactor) { player in
            InlineVoice(sound, reactor, FakeProgramme.usualSamples, true) { event in player.tell { $0.heard(event) } }
        }
        player.begin()
        player.tune(to: station)
        station.start()
        let began = reactor.now
        var lastSound = began
        var longest = Duration.zero
        while reactor.now - began < HLSMixedTrouble.length {
            reactor.advance(by: .milliseconds(100))
            if player.snapshot.status.state == .playing { lastSound = reactor.now }
            longest = max(longest, reactor.now - lastSound)
        }
        #expect(longest <= .seconds(12), "\(longest)")
        #expect(player.snapshot.underruns <= 4, "\(player.snapshot.underruns)")
        #expect(player.snapshot.heard > HLSMixedTrouble.length - .seconds(60))
        station.stop()
    }
}
