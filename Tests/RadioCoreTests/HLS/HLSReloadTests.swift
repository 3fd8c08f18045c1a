// SPDX-License-Identifier: MIT

import Instants
import Testing

@testable import RadioCore

/// RFC 8216 §6.3.4, and what servers do that do not follow it.
struct HLSReloadTests {
    private static let now = MonotonicInstant(nanoseconds: 1_000_000_000_000)
    private var reload = HLSReload(seed: 1)

    init() { reload.restart(Self.now) }

    private mutating func load(news: Bool, at time: MonotonicInstant = now, span: Int = 60, isOver: Bool = false) {
        reload.begin()
        reload.loaded(
            began: time, hasNews: news, target: .seconds(10), span: .seconds(span), isOver: isOver,
            time + .seconds(1))
    }

    @Test("The first load is due at once, and asks the configured address") func first() {
        #expect(reload.due == Self.now && reload.isFresh)
    }

    @Test("A load is due one target duration after the start of one with news, half of it after one without")
    mutating func timing() {
        load(news: true)
        #expect(reload.due == Self.now + .seconds(10) && !reload.isFresh)
        load(news: false, at: Self.now + .seconds(10))
        #expect(reload.due == Self.now + .seconds(15) && !reload.isFresh)
    }

    @Test("A list of few segments is loaded twice as often") mutating func shortList() {
        load(news: true, span: 30)
        #expect(reload.due == Self.now + .seconds(5))
    }

    @Test("If the target duration is far too long, what is listed says when the list is over")
    mutating func longTarget() {
        load(news: true, span: 4)
        #expect(reload.due == Self.now + .seconds(2))
        load(news: false, at: Self.now + .seconds(2), span: 4)
        #expect(reload.due == Self.now + .seconds(4))
        load(news: false, at: Self.now + .seconds(4), span: 0)
        #expect(reload.due.map { $0 > Self.now + .seconds(4) } == true)
    }

    @Test("A load that took longer than the pause is followed at once, never in the past") mutating func slow() {
        reload.begin()
        reload.loaded(
            began: Self.now, hasNews: true, target: .seconds(10), span: .seconds(60), isOver: false,
            Self.now + .seconds(12))
        #expect(reload.due == Self.now + .seconds(12))
    }

    @Test("Without news for 1.5 target durations, every other load asks the configured address") mutating func stuck() {
        load(news: true)
        var fresh: [Bool] = []
        for second in stride(from: 5, to: 40, by: 5) {
            load(news: false, at: Self.now + .seconds(second))
            fresh.append(reload.isFresh)
        }
        #expect(!fresh[0] && fresh.count(where: { $0 }) >= 3)
        #expect(!zip(fresh, fresh.dropFirst()).contains { $0 && $1 })
    }

    @Test("The station is away after three target durations, and is then asked less often") mutating func away() {
        load(news: true)
        #expect(!reload.isAway(Self.now + .seconds(29)) && reload.isAway(Self.now + .seconds(31)))
        var now = Self.now
        var loads = 0
        while now < Self.now + .seconds(7_200), loads < 10_000 {
            load(news: false, at: now)
            loads += 1
            now = reload.due ?? now
        }
        #expect((120...800).contains(loads), "\(loads)")
    }

    @Test("A failed load is tried again at once, then every half second, and then less often") mutating func failures()
    {
        load(news: true)
        var (now, times) = (Self.now + .seconds(10), [Duration]())
        for _ in 0..<30 {
            reload.begin()
            reload.failed(isGone: false, hold: nil, now)
            times.append((reload.due ?? now) - now)
            now = reload.due ?? now
        }
        #expect(times[0] == .zero && times.dropFirst().allSatisfy { $0 >= .milliseconds(400) })
        #expect(times.suffix(5).allSatisfy { $0 >= .seconds(2) })
    }

    @Test("Retry-After is kept to, and an address that is gone leads back to the configured one") mutating func hold() {
        load(news: true)
        reload.failed(isGone: true, hold: .seconds(90), Self.now)
        #expect(reload.due == Self.now + .seconds(90) && reload.isFresh)
        reload.wantFresh(Self.now + .seconds(20))
        #expect(reload.due == Self.now + .seconds(90), "a segment that is missing does not shorten it")
        load(news: true)
        reload.failed(isGone: false, hold: nil, Self.now)
        #expect(!reload.isFresh)
    }

    @Test("A segment that cannot be fetched asks for the configured address, twice a target duration at most")
    mutating func wish() {
        load(news: true)
        reload.wantFresh(Self.now + .seconds(1))
        #expect(reload.due == Self.now + .seconds(1) && reload.isFresh)
        load(news: true, at: Self.now + .seconds(1))
        reload.wantFresh(Self.now + .seconds(3))
        #expect(reload.due == Self.now + .seconds(11))
    }

    @Test("Any target duration is taken as one between a second and a minute", arguments: [0, 3_600])
    mutating func targets(seconds: Int) {
        reload.begin()
        reload.loaded(
            began: Self.now, hasNews: true, target: .seconds(seconds), span: .seconds(60), isOver: false,
            Self.now)
        #expect(reload.due == Self.now + (seconds == 0 ? .seconds(1) : .seconds(30)))
    }
}
