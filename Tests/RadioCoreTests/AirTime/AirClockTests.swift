// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

/// The air clock, checked against simulated arrivals whose air times are known.
@Suite struct AirClockTests {
    private static let rate = 44_100
    private static let wall = WallInstant(nanoseconds: 1_700_000_000_000_000_000)

    /// A station that sends `burst` seconds at once and then sends in real time, with up to `jitter` s of delay.
    @Test(
        "A burst is back-dated, and the audio after it keeps its air time", arguments: [0.0, 0.5, 4, 22],
        [0.0, 0.05, 0.2])
    func backDatedBurst(burst: Double, jitter: Double) throws {
        var random = SplitMix64(seed: 5)
        var clock = Air()
        let begin = MonotonicInstant(nanoseconds: 50_000_000_000)
        // The station was at media second `burst` when we joined.
        let truth = Self.wall - .seconds(burst)
        var settledAt: Duration?
        var time = 0.0
        while time < 20 {
            let now = begin + .seconds(time + Double.random(in: 0...max(jitter, 1e-9), using: &random))
            let end = Int64((burst + time) * Double(Self.rate))
            _ = clock.arrived(upTo: end, now: now, wall: Self.wall + (now - begin))
            if clock.airTime?.isSettled == true, settledAt == nil { settledAt = now - begin }
            time += 0.087
        }
        let air = try #require(clock.airTime)
        #expect(air.isSettled)
        let error = abs((air.origin - truth).inSeconds)
        #expect(error <= 0.05, "off by \(error) s")
        #expect(try #require(settledAt) < .seconds(3))
        let measured = try #require(clock.edge.burst).inSeconds
        #expect(abs(measured - burst) < 0.3, "burst \(measured)")
    }

    @Test("The air clock does not settle while audio arrives faster than it plays") func fasterThanPlayed() {
        var clock = Air()
        for step in 0..<100 {
            let now = MonotonicInstant(nanoseconds: Int64(step) * 50_000_000)
            _ = clock.arrived(upTo: Int64(step) * 44_100, now: now, wall: Self.wall + .milliseconds(50 * step))
            #expect(clock.airTime?.isSettled == false)
        }
    }

    @Test("The air clock follows a slow station clock") func slowStation() throws {
        var clock = Air()
        // The station's clock runs 500 ppm slow for an hour, so the audio of 3,600 s takes 3,601.8 s.
        var changes = 0
        for step in 1...36_000 {
            let media = Double(step) * 0.1
            let elapsed = media * 1.0005
            let now = MonotonicInstant(nanoseconds: Int64(elapsed * 1e9))
            let end = Int64(media * 44_100)
            if clock.arrived(upTo: end, now: now, wall: Self.wall + .seconds(elapsed)) { changes += 1 }
        }
        let air = try #require(clock.airTime)
        let newest = air.instant(ofSample: 36_000 * 4_410)
        let error = (newest - (Self.wall + .seconds(3_601.8))).inSeconds
        #expect(abs(error) < 0.08, "off by \(error) s")
        #expect(changes < 500)
    }
}

/// A connection's edge clock, and the station's air clock that it feeds.
private struct Air {
    private(set) var edge = EdgeClock()
    private var clock = AirClock()
    private(set) var airTime: AirTime?

    mutating func arrived(upTo end: Int64, now: MonotonicInstant, wall: WallInstant) -> Bool {
        let end = Duration.samples(end, at: 44_100)
        edge.arrived(upTo: end, now: now)
        clock.arrived(upTo: end, edge, at: end, now: now)
        let newer = clock.airTime(since: .zero, sampleRate: 44_100, after: airTime, now: now, wall: wall)
        airTime = newer ?? airTime
        return newer != nil
    }
}

extension WallInstant {
    static func - (left: WallInstant, right: WallInstant) -> Duration { right.duration(to: left) }
}
