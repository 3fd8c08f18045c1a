// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

/// A clock is told of segments of six seconds that are listed up to four seconds after their end.
struct HLSClockTests {
    private static let epoch = WallInstant(nanoseconds: 1_800_000_000_000_000_000)
    private static let length = Duration.seconds(6)

    /// How far the clock is off, for each segment. `date` makes the date of a segment from when it was on air.
    private func errors(of count: Int, date: (Int, WallInstant) -> WallInstant?) -> [Duration] {
        var clock = HLSClock()
        return (0..<count).map { index in
            let start = Self.length * index
            let aired = Self.epoch + start
            let due = aired + Self.length + .milliseconds(index * 977 % 4_000)
            return (clock.note(start: start, length: Self.length, date: date(index, aired), due: due) - aired).magnitude
        }
    }

    @Test("Dates in milliseconds count, over an hour") func milliseconds() {
        let worst = errors(of: 600) { index, aired in aired - .milliseconds(index % 2) }.max() ?? .zero
        #expect(worst <= .milliseconds(50), "\(worst)")
    }

    @Test("Of dates in whole seconds, the latest counts") func wholeSeconds() {
        let length = Duration.milliseconds(6_400)
        var clock = HLSClock()
        for index in 0..<600 {
            let start = length * index
            let aired = Self.epoch + .milliseconds(130) + start
            let date = WallInstant(nanoseconds: aired.nanoseconds / 1_000_000_000 * 1_000_000_000)
            let error = clock.note(start: start, length: length, date: date, due: aired + length) - aired
            #expect(error <= .zero && error > (index < 10 ? .seconds(-1) : .milliseconds(-250)), "\(index): \(error)")
            #expect(clock.error(ofSegments: length) == .seconds(1))
        }
    }

    @Test("Without dates, the earliest listing counts") func undated() {
        let all = errors(of: 100) { _, _ in nil }
        #expect(all.allSatisfy { $0 < .seconds(4) } && all.suffix(50).allSatisfy { $0 < .milliseconds(500) })
    }

    @Test("Dates that are off by hours, or stand still, mean nothing", arguments: [true, false]) func off(far: Bool) {
        let all = errors(of: 300) { _, aired in far ? aired + .seconds(7_200) : Self.epoch - .seconds(3_000) }
        #expect(all.suffix(200).allSatisfy { $0 < .seconds(4) }, "\(all.suffix(3))")
    }

    @Test("A date that goes back does not count; the next ones do") func back() {
        let all = errors(of: 60) { index, aired in index == 30 ? aired - .seconds(300) : aired }
        #expect(all.allSatisfy { $0 == .zero }, "\(all)")
    }

    @Test("A few segments without dates are between those that have some") func someDated() {
        let all = errors(of: 60) { index, aired in index % 3 == 0 ? aired : nil }
        #expect(all.allSatisfy { $0 == .zero }, "\(all)")
    }

    @Test("Missing audio moves what comes after it") func skipping() {
        var clock = HLSClock()
        _ = clock.note(start: .zero, length: Self.length, date: Self.epoch, due: Self.epoch + Self.length)
        clock.skip(.seconds(20))
        let later = clock.note(start: Self.length, length: Self.length, date: nil, due: Self.epoch + .seconds(40))
        #expect(later == Self.epoch + .seconds(26))
    }

    @Test("A date says that more is missing than was known") func step() {
        var clock = HLSClock()
        for index in 0..<5 {
            let start = Self.length * index
            _ = clock.note(
                start: start, length: Self.length, date: Self.epoch + start, due: Self.epoch + start + .seconds(6))
        }
        let aired = Self.epoch + .seconds(90)
        let noted = clock.note(start: .seconds(30), length: Self.length, date: aired, due: aired + .seconds(7))
        #expect(noted == aired)
    }
}
