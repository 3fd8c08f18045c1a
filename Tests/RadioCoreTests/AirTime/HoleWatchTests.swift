// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

/// Audio that a station left out during a silence, and audio that was only late. Times are in tenths of a second; a
/// frame plays for one of them.
@Suite struct HoleWatchTests {
    @Test(
        "Audio that was left out gives one hole, with its length and place",
        arguments: [(50, 50), (50, 30), (25, 6)])
    func leftOut(_ silence: Int, _ lost: Int) {
        var line = Line()
        line.play(100)
        line.beSilent(silence, losing: lost)
        line.play(50, pace: 1_000)
        #expect(line.holes == [.init(at: 100, length: lost)] && !line.isWatching)
        // It is told once twelve deliveries and 1.2 s have shown it.
        #expect(line.toldAt.map { $0 - 100 - silence <= 14 } ?? false, "\(line)")
    }

    @Test("Audio that was only late gives no hole, however fast it comes", arguments: [2, 4, 1_000])
    func backlog(pace: Int) {
        var line = Line()
        line.play(100)
        line.beSilent(60)
        line.play(150, pace: pace)
        #expect(line.holes.isEmpty && !line.isWatching && line.frames == line.now, "\(line)")
    }

    @Test("Of two silences, the second of which hid a hole, one hole is told, at the second") func secondSilence() {
        for pause in [3, 20] {
            var line = Line()
            line.play(100)
            line.beSilent(40)
            line.play(pause, pace: 1_000)
            let place = line.frames
            line.beSilent(50, losing: 50)
            line.play(50)
            #expect(line.holes == [.init(at: place, length: 50)], "\(line)")
        }
    }

    @Test("A second silence, after which all frames are only as late as before it, adds no hole") func noSecondHole() {
        var line = Line()
        line.play(100)
        line.beSilent(50, losing: 50)
        line.play(5)
        line.beSilent(30)
        #expect(line.holes.isEmpty && line.isWatching)
        line.play(60, pace: 4)
        #expect(line.holes == [.init(at: 100, length: 50)], "\(line)")
    }

    @Test("Two holes that are not judged yet are told together") func twoHoles() {
        var line = Line()
        line.play(100)
        line.beSilent(50, losing: 50)
        line.play(5)
        line.beSilent(30, losing: 30)
        line.play(60)
        #expect(line.holes == [.init(at: 100, length: 50), .init(at: 105, length: 30)], "\(line)")
    }

    @Test("After two silences, a backlog gives no hole, although its frames are at first as late as those before it")
    func backlogAfterTwo() {
        var line = Line()
        line.play(100)
        line.beSilent(40)
        line.play(1)
        line.beSilent(50)
        line.play(150, pace: 4)
        #expect(line.holes.isEmpty && !line.isWatching, "\(line)")
    }

    @Test("Lumps of 5 s give no hole; one that is left out gives one") func lumps() {
        var line = Line()
        for length in [50, 48, 53, 50, 47, 52] { line.lump(after: length) }
        #expect(line.holes.isEmpty && !line.isWatching, "\(line)")
        let place = line.frames
        line.beSilent(50, losing: 50)
        for _ in 0..<3 { line.lump(after: 50) }
        #expect(line.holes == [.init(at: place, length: 50)], "\(line)")
    }

    @Test("E4: Audio that the process did not read while it stood still is not missing", arguments: [20, 50, 600])
    func standstill(_ length: Int) {
        var line = Line()
        line.play(100)
        // Late audio has begun to come. The rest arrives during the standstill, and is read in pieces of a second.
        line.beSilent(20)
        line.play(4)
        line.standStill(length)
        while line.frames < line.now { line.deliver(min(10, line.now - line.frames)) }
        line.play(50)
        #expect(line.holes.isEmpty && !line.isWatching, "\(line)")
    }

    @Test("At the end of a connection, frames that kept their pace show a hole") func endWithPace() {
        var line = Line()
        line.play(100)
        line.beSilent(50, losing: 50)
        line.play(4)
        #expect(line.holes.isEmpty)
        #expect(line.conclude() == [.init(at: 100, length: 50)] && !line.isWatching)
    }

    @Test("At the end of a connection, one delivery or a backlog shows none yet", arguments: [(1, 1), (4, 2), (9, 4)])
    func endWithoutPace(_ deliveries: Int, _ pace: Int) {
        var line = Line()
        line.play(100)
        line.beSilent(50)
        line.play(deliveries, pace: pace)
        #expect(line.isWatching && line.conclude().isEmpty && line.isWatching)
    }

    @Test("If what follows cannot be compared, a hole whose length no pace shows is told only if it is likely")
    func endWithoutComparison() {
        // Much audio at once is a backlog.
        for (isLikely, lump) in [(false, 1), (true, 1), (true, 20)] {
            var watch = HoleWatch()
            watch.begin(at: Position(), .seconds(10))
            watch.arrived(late: .seconds(5), upTo: .seconds(10 + lump), MonotonicInstant(nanoseconds: 0))
            let found = watch.end(isLikely: isLikely)
            let isTold = isLikely && lump == 1
            #expect(found.map(\.time) == (isTold ? [.seconds(10)] : []) && found.allSatisfy { $0.length == nil })
            #expect(!watch.isWatching)
        }
    }

    @Test("Nothing is told of frames whose time has no relation to what follows") func forgotten() {
        var line = Line()
        line.play(100)
        line.beSilent(50, losing: 50)
        line.play(5)
        line.forget()
        line.play(50)
        #expect(line.holes.isEmpty && !line.isWatching)
    }
}

/// A connection and what is watched of it.
private struct Line {
    struct ToldHole: Equatable {
        var at: Int
        var length: Int
    }

    private(set) var now = 0
    /// The frames delivered so far.
    private(set) var frames = 0
    private(set) var holes: [ToldHole] = []
    private(set) var toldAt: Int?
    private var watch = HoleWatch()
    /// The frames that the station left out.
    private var lost = 0
    /// The frames of the holes that have been told.
    private var told = 0
    private var last: (at: Int, frames: Int) = (0, 0)
    private static let shortestSilence = 20

    var isWatching: Bool { watch.isWatching }

    /// Brings what is on air, a delivery each tenth of a second. What waits comes at `pace` times real time.
    mutating func play(_ time: Int, pace: Int = 1) {
        for _ in 0..<time {
            pass(1)
            deliver(min(pace, now - lost - frames))
        }
    }

    mutating func beSilent(_ time: Int, losing lost: Int = 0) {
        pass(time)
        self.lost += lost
    }

    /// Brings all that has been on air by then.
    mutating func lump(after time: Int) {
        pass(time)
        deliver(now - lost - frames)
    }

    /// Time passes in which no timer fires.
    mutating func standStill(_ time: Int) { now += time }

    mutating func deliver(_ count: Int) {
        frames += count
        if now - last.at >= Self.shortestSilence {
            watch.begin(at: Position(frames: Int64(last.frames)), .tenths(last.frames))
        }
        last = (now, frames)
        if watch.isWatching { watch.arrived(late: .tenths(now - told - frames), upTo: .tenths(frames), instant) }
        ask()
    }

    mutating func conclude() -> [ToldHole] { (watch.conclusion() ?? []).map(ToldHole.init) }

    mutating func forget() { watch.end() }

    private var instant: MonotonicInstant { MonotonicInstant(nanoseconds: 0) + .tenths(now) }

    private mutating func pass(_ time: Int) {
        for _ in 0..<time {
            now += 1
            if let deadline = watch.deadline, deadline <= instant { ask() }
        }
    }

    private mutating func ask() {
        guard let verdict = watch.verdict(instant) else { return }
        holes += verdict.map(ToldHole.init)
        told += verdict.map(ToldHole.init).reduce(0) { $0 + $1.length }
        toldAt = now
    }
}

extension Line.ToldHole {
    init(_ hole: HoleWatch.FoundHole) {
        self.init(at: Int(hole.position.frames), length: Int(((hole.length ?? .zero).inSeconds * 10).rounded()))
        if hole.time != .tenths(at) { Issue.record("the hole at \(at) has time \(hole.time)") }
    }
}

extension Duration {
    fileprivate static func tenths(_ count: Int) -> Duration { .milliseconds(100 * count) }
}
