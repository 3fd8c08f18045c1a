// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// The age of a listener's newest audio, and playback without a break after joining.
struct DelayTests {
    /// The flush interval for each length of the burst. The length is in seconds.
    private static let intervals: [(burst: Double, interval: Duration)] = [
        (0, .milliseconds(62.5)), (1, .milliseconds(250)), (2, .milliseconds(500)), (4, .seconds(1)),
        (10, .seconds(1)),
    ]

    @Test("A listener's newest audio is at most the flush interval plus 0.2 s old", arguments: intervals)
    func age(burst: Double, interval: Duration) throws {
        let rig = try RelayRig(running: 20)
        let client = rig.listen(query: "?burst=\(burst)")
        var arrivals: [Duration] = []
        var oldest = Duration.zero
        var time = Duration.zero
        let start = rig.frames
        for _ in 0..<(20 * 16) {
            // Frames arrive about as fast as they are played.
            while RelayRig.frameDuration * arrivals.count <= time {
                rig.play(1)
                arrivals.append(time)
            }
            rig.reactor.advance(by: .milliseconds(20))
            time += .milliseconds(20)
            rig.reactor.drain()
            client.collect()
            let newest = client.body.count / RelayRig.frameSize + (first(client, rig) ?? 0) - 1 - start
            if time > interval, newest + 1 < arrivals.count {
                oldest = max(oldest, time - arrivals[max(0, newest + 1)])
            }
        }
        #expect(oldest > .zero && oldest <= interval + .milliseconds(200), "\(oldest)")
    }

    @Test("A player that joins without a burst plays without a break after a quarter of a second")
    func noBurst() throws {
        let rig = try RelayRig(running: 20)
        let client = rig.listen(query: "?burst=0")
        var (time, played, began) = (Duration.zero, Duration.zero, Duration?.none)
        var frames = 0
        for _ in 0..<1500 {
            while RelayRig.frameDuration * frames <= time {
                rig.play(1)
                frames += 1
            }
            rig.reactor.advance(by: .milliseconds(20))
            time += .milliseconds(20)
            rig.reactor.drain()
            client.collect()
            let heard = RelayRig.frameDuration * (client.body.count / RelayRig.frameSize)
            if began == nil, heard > .zero { began = time + .milliseconds(250) }
            guard let began, time > began else { continue }
            played = time - began
            #expect(heard >= played, "ran dry at \(time)")
        }
        #expect(played > .seconds(28))
        rig.close()
    }

    private func first(_ client: LoopbackClient, _ rig: RelayRig) -> Int? {
        let body = client.body
        return rig.frameNumbers(Array(body.prefix(RelayRig.frameSize)))?.first
    }
}
