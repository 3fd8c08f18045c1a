// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import RadioFormats
import Testing

@testable import Stations

/// E6: the station's clock continues when its format changes.
struct FormatInBurstClockTests {
    private final class Sink: StreamSink {
        var maps: [[AirTime]] = []
        func receive(_ event: StreamEvent) {
            switch event {
            case .format: maps.append([])
            case .airTime(let map): maps[maps.count - 1].append(map)
            default: break
            }
        }
    }

    @Test("E6: A burst that contains a change of format is one burst and settles once")
    func oneBurst() throws {
        let (hub, reactor) = (StreamHub(), ManualReactor())
        let inlet = HubInlet(hub: hub)
        let sink = Sink()
        hub.attach(sink)
        var (played, clock) = (Duration.zero, EdgeClock())
        func play(_ frames: Int, _ rate: Int) {
            for _ in 0..<frames {
                [UInt8](repeating: 1, count: 100).withUnsafeBytes {
                    inlet.take(FrameBatch(FrameFacts(samples: 1_000), length: $0.count), $0)
                }
            }
            played += .samples(Int64(frames * 1_000), at: rate)
            clock.arrived(upTo: played, now: reactor.now)
            inlet.arrived(clock, at: played, reactor.readClocks())
            hub.flush()
        }
        let edge = reactor.wallNow
        // Eight seconds arrive at once, half of them in each format. The rest arrives at real-time pace, first in the
        // second format, then in the first again.
        inlet.begin(StreamFormat(codec: .mp3, sampleRate: 48_000, channels: 2))
        for _ in 0..<4 { play(48, 48_000) }
        inlet.begin(StreamFormat(codec: .mp3, sampleRate: 32_000, channels: 2))
        for _ in 0..<4 { play(32, 32_000) }
        for _ in 0..<20 {
            reactor.advance(by: .milliseconds(500))
            play(16, 32_000)
        }
        inlet.begin(StreamFormat(codec: .mp3, sampleRate: 48_000, channels: 2))
        reactor.advance(by: .milliseconds(500))
        play(24, 48_000)
        #expect(sink.maps.count == 3 && sink.maps[0].allSatisfy { !$0.isSettled })
        let second = try #require(sink.maps[1].last)
        #expect(second.isSettled && abs((second.origin - (edge - .seconds(4))).inSeconds) < 0.001, "\(second)")
        // The third map did not have to wait, because the clock was known already.
        let third = try #require(sink.maps[2].first)
        #expect(third.isSettled && abs((third.origin - (edge + .seconds(10))).inSeconds) < 0.001, "\(third)")
    }
}
