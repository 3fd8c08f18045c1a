// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

/// A station's air time from the clocks of its connections, checked against arrivals whose air times are known, over
/// days of virtual time.
@Suite struct EdgeClockTests {
    @Test(
        "A settled clock is right within 50 ms, whatever the burst", arguments: [0, 0.7, 4, 11, 30], [0, 0.02, 0.045])
    func settled(burst: Double, jitter: Double) {
        for seed in 1...5 as ClosedRange<UInt64> {
            for block in [0.0875, 0.35, 4.096] {
                var line = Line(burst: burst, jitter: jitter, block: block, seed: seed)
                line.run(until: 120)
                #expect(line.worst <= 0.05, "off by \(line.worst) s; blocks of \(block) s")
                #expect((line.settledAfter ?? 120) <= max(3, 3 * block), "blocks of \(block) s")
            }
        }
    }

    @Test(
        "The clock of a drifting station is followed for twelve hours, and its drift is measured",
        arguments: [-300.0, -40, 0, 40, 300])
    func driftingStation(drift: Double) throws {
        var line = Line(burst: 4, jitter: 0.01, block: 0.35, drift: drift, seed: 3)
        line.run(until: 9 * 60)
        #expect(line.air.drift == nil)
        line.run(until: 30 * 60)
        #expect(abs(try #require(line.air.drift) - drift) < 20)
        line.run(until: 12 * 3_600)
        #expect(line.worst <= 0.05, "off by \(line.worst) s")
        #expect(abs(try #require(line.air.drift) - drift) < 1)
    }

    @Test("The drift stays unknown while arrivals are too noisy to measure it") func noisyArrivals() throws {
        var line = Line(burst: 4, jitter: 0.6, block: 3, drift: 100, seed: 4)
        line.run(until: 11 * 60)
        #expect(line.air.drift == nil)
        line.run(until: 24 * 3_600)
        #expect(abs(try #require(line.air.drift) - 100) < 20)
    }

    @Test(
        "An event loop that stalls now and then, also at the start, does not disturb the clock",
        arguments: 1...20 as ClosedRange<UInt64>)
    func stalledLoop(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var line = Line(burst: 8, jitter: 0.02, block: 0.0875, seed: seed)
        line.read = 1.0
        var time = 0.0
        while time < 300 {
            line.stand(from: time + Double.random(in: 0...3, using: &random), for: .random(in: 0.1...4, using: &random))
            time += 10
        }
        line.run(until: 300)
        #expect(line.worst <= 0.05, "off by \(line.worst) s")
    }

    @Test("A step of the wall clock moves the air time but not the monotonic origin") func wallClockStep() throws {
        var (edge, clock, told) = (EdgeClock(), AirClock(), AirTime?.none)
        var wall = WallInstant(nanoseconds: 1_700_000_000_000_000_000)
        var now = MonotonicInstant(nanoseconds: 7_000_000_000)
        for second in 1...600 as ClosedRange<Int64> {
            now = now + .seconds(1)
            wall = wall + .seconds(1)
            // The wall clock is set an hour ahead, then years back.
            if second == 200 { wall = wall + .seconds(3_600) }
            if second == 400 { wall = WallInstant(nanoseconds: 1_000_000_000) }
            edge.arrived(upTo: .seconds(second), now: now)
            clock.arrived(upTo: .seconds(second), edge, at: .seconds(second), now: now)
            let newer = clock.airTime(since: .zero, sampleRate: 44_100, after: told, now: now, wall: wall)
            #expect((newer != nil) == [1, 2, 200, 400].contains(second))
            told = newer ?? told
            #expect(clock.origin == MonotonicInstant(nanoseconds: 7_000_000_000))
            #expect(told?.instant(ofSample: second * 44_100) == wall)
        }
    }

    @Test("A pace slightly above real time counts as live, a burst does not", arguments: [1.0, 1.1, 1.2, 1.5, 3])
    func livePace(pace: Double) {
        var clock = EdgeClock()
        var now = MonotonicInstant(nanoseconds: 5_000_000_000)
        for step in 1...100 {
            now = now + .milliseconds(87)
            clock.arrived(upTo: .milliseconds(87) * (Double(step) * pace), now: now)
        }
        let isLive = clock.livePaceSince.map { now - $0 >= .seconds(2) } ?? false
        #expect(isLive == (pace <= 1.2))
        #expect(clock.isSettled == (pace == 1))
    }

    // MARK: - Other connections

    @Test("The burst of a later connection does not change the air time") func laterBurst() {
        var line = Line(burst: 4, jitter: 0.02, block: 0.0875, seed: 6)
        for outage in 1...20 {
            line.run(until: Double(outage) * 45)
            // The burst's audio is seconds late; after it, audio arrives at the previous pace.
            line.reconnect(lag: 0, silentFor: Double(outage % 4))
        }
        line.run(until: 1_000)
        #expect(line.worst <= 0.05, "off by \(line.worst) s")
    }

    @Test("A connection that lags behind the station's earliest edge does not shift the air time") func edgeBehind() {
        var line = Line(burst: 4, jitter: 0.02, block: 0.0875, drift: 50, seed: 7)
        for lag in [30.0, 0, 12, 2, 45, 0.1, 30] {
            line.run(until: line.time + 400)
            line.reconnect(lag: lag, silentFor: 2)
        }
        line.run(until: line.time + 400)
        #expect(line.worst <= 0.05 + 0.1, "off by \(line.worst) s")
    }

    @Test("A connection whose edge is ahead of the first becomes the reference for air times") func edgeAhead() throws {
        var line = Line(burst: 4, jitter: 0.02, block: 0.0875, seed: 8)
        line.run(until: 100)
        line.reconnect(lag: -20, silentFor: 1)
        line.run(until: 103)
        line.worst = 0
        line.run(until: 300)
        line.reconnect(lag: 5, silentFor: 1)
        line.run(until: 600)
        // From now on the earliest edge defines the air time.
        #expect(abs(line.worst - 20) <= 0.05, "off by \(line.worst) s")
    }

    @Test("The drift is measured across connections") func driftAcrossConnections() throws {
        var line = Line(burst: 4, jitter: 0.01, block: 0.0875, drift: -120, seed: 9)
        for number in 0..<60 {
            line.run(until: line.time + 420)
            line.reconnect(lag: Double(number % 3) * 7, silentFor: 1)
        }
        #expect(abs(try #require(line.air.drift) + 120) < 10)
    }

    @Test("A gap restarts the air clock at the known instant and keeps the drift") func gapRestart() throws {
        var line = Line(burst: 4, jitter: 0.01, block: 0.0875, drift: 100, seed: 10)
        line.run(until: 1_200)
        let drift = try #require(line.air.drift)
        let instant = MonotonicInstant(nanoseconds: 99_000_000_000)
        var air = line.air
        air.restart(at: .seconds(1_300), from: instant, isSettled: false)
        #expect(air.instant(of: .seconds(1_300)) == instant)
        #expect(air.instant(of: .seconds(1_310)) == instant + .seconds(10) && !air.isSettled)
        #expect(abs(try #require(air.drift) - drift) < 1)
    }

    @Test("Absurd durations and instants trap neither clock") func absurdInput() {
        var (edge, air) = (EdgeClock(), AirClock())
        let absurd: [Duration] = [
            .zero, .seconds(1), .seconds(Int64.max / 2), .seconds(Int64.max), .seconds(-Int64.max),
        ]
        for end in absurd {
            for now in [5, .max, .min] as [Int64] {
                let now = MonotonicInstant(nanoseconds: now)
                edge.arrived(upTo: end, now: now)
                air.arrived(upTo: end, edge, at: .zero, now: now)
                air.reconnected(at: end)
                _ = air.airTime(since: end, sampleRate: 1, after: nil, now: now, wall: WallInstant(nanoseconds: .min))
                air.restart(at: end, from: now, isSettled: true)
            }
        }
    }
}

/// A station and the connection to it. Media time 0 is the start of the first burst.
private struct Line {
    private(set) var clock = EdgeClock()
    private(set) var air = AirClock()
    /// The largest error of the settled clock, in seconds.
    var worst = 0.0
    private(set) var settledAfter: Double?
    /// Seconds since the first connection.
    private(set) var time = 0.0
    /// The largest amount of audio that one read returns, in seconds.
    var read = 60.0

    private let burst: Double
    private let jitter: Double
    private let block: Double
    private let drift: Double
    private var random: SplitMix64
    private var media = 0.0
    private var lag = 0.0
    /// The spans of time in which nothing is delivered.
    private var pauses: [Range<Double>] = []

    init(burst: Double, jitter: Double, block: Double, drift: Double = 0, seed: UInt64) {
        (self.burst, self.jitter, self.block, self.drift) = (burst, jitter, block, drift)
        random = SplitMix64(seed: seed)
    }

    /// The time at which `media` was on air; the end of the burst was on air at 0.
    private func onAir(_ media: Double) -> Double { (media - burst) / (1 + drift / 1e6) }

    mutating func stand(from start: Double, for length: Double) {
        pauses.append(start..<start + length)
    }

    /// The connection breaks; after `silence` seconds another one, `lag` seconds behind, continues where it stopped.
    mutating func reconnect(lag: Double, silentFor silence: Double) {
        time += silence
        self.lag = lag
        clock = EdgeClock()
        air.reconnected(at: .seconds(media))
    }

    /// Delivers all audio that arrives until `end`.
    mutating func run(until end: Double) {
        while time < end {
            // A block is sent once its last byte exists.
            var due = onAir(media + block) + lag + (jitter > 0 ? Double.random(in: 0...jitter, using: &random) : 0)
            if let pause = pauses.first(where: { $0.contains(max(due, time)) }) { due = pause.upperBound }
            time = max(time, due, 0)
            // Blocks that have become available meanwhile are delivered together with this block.
            let waiting = ((time - lag) * (1 + drift / 1e6) + burst - media) / block
            let count = max(1, min(waiting.rounded(.down), (read / block).rounded(.down)))
            media += (jitter > block ? 1 : count) * block
            deliver()
        }
    }

    private mutating func deliver() {
        let start = MonotonicInstant(nanoseconds: 1_000_000_000)
        let end = Duration.seconds(media)
        clock.arrived(upTo: end, now: start + .seconds(time))
        air.arrived(upTo: end, clock, at: end, now: start + .seconds(time))
        guard air.isSettled, let said = air.instant(of: end) else { return }
        if settledAfter == nil { settledAfter = time }
        worst = max(worst, abs((said - start).inSeconds - onAir(media)))
    }
}
