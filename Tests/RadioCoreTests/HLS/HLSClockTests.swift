// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Testing

/// A clock is told of segments of six seconds that are listed up to four seconds after their end.
struct HLSClockTests {
    private static let epoch = WallInstant(nanoseconds: 1_800_000_000_000_000_000)
    private static let length = Duration.seconds(6)

    /// A segment with a date of its own, or none.
    private static func note(
        _ clock: inout HLSClock, _ index: Int = 0, _ start: Duration, length: Duration = length, _ date: WallInstant?,
        _ due: WallInstant
    ) -> WallInstant {
        clock.note(
            Int64(index), start: start, length: length, date: date.map { SegmentDate($0, of: Int64(index)) }, due: due)
    }

    /// How far the clock is off, for each segment. `date` makes the date of a segment from when it was on air.
    private func errors(of count: Int, date: (Int, WallInstant) -> WallInstant?) -> [Duration] {
        var clock = HLSClock()
        return (0..<count).map { index in
            let start = Self.length * index
            let aired = Self.epoch + start
            let due = aired + Self.length + .milliseconds(index * 977 % 4_000)
            return (Self.note(&clock, index, start, date(index, aired), due) - aired).magnitude
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
            let error = Self.note(&clock, index, start, length: length, date, aired + length) - aired
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
        _ = Self.note(&clock, 0, .zero, Self.epoch, Self.epoch + Self.length)
        clock.skip(.seconds(20))
        let later = Self.note(&clock, 1, Self.length, nil, Self.epoch + .seconds(40))
        #expect(later == Self.epoch + .seconds(26))
    }

    @Test("A date says that more is missing than was known") func step() {
        var clock = HLSClock()
        for index in 0..<5 {
            let start = Self.length * index
            _ = Self.note(&clock, index, start, Self.epoch + start, Self.epoch + start + .seconds(6))
        }
        let aired = Self.epoch + .seconds(90)
        let noted = Self.note(&clock, 5, .seconds(30), aired, aired + .seconds(7))
        #expect(noted == aired)
    }

    @Test("Audio that is missing for an unknown time ends what dates have told") func unknownGap() {
        var clock = HLSClock()
        _ = Self.note(&clock, 0, .zero, Self.epoch, Self.epoch + Self.length)
        clock.skip(nil)
        #expect(Self.note(&clock, 1, Self.length, nil, Self.epoch + .seconds(40)) == Self.epoch + .seconds(34))
    }

    /// How far the clock is off for each segment of an hour, if only the first segment of each list has a date.
    /// `window`: the segments in a list; all if nil. `stated`: how long the lists say that segments are.
    private func errorsDatedOnce(window: Int?, length: Duration, stated: Duration) -> [Duration] {
        var clock = HLSClock()
        return (0..<600).map { index in
            let first = max(0, window.map { index - $0 + 1 } ?? -40)
            let segments = (window == nil ? -40 : first)...index
            let list = MediaPlaylist.listing(
                segments.map { number in
                    var segment = ListedSegment.listed(Int64(number + 40), stated)
                    let date = MonotonicInstant(nanoseconds: 1_130_000_000) + .seconds(400) + length * number
                    if number == segments.lowerBound { segment.date = ListedStation.date(date) }
                    return segment
                })
            let date = DatedSegments(list, from: list.segments.count - 1).first { _ in true }?.date
            let aired = Self.epoch + .milliseconds(401_130) + length * index
            let noted = clock.note(
                Int64(index + 40), start: length * index, length: stated, date: date, due: aired + length)
            return noted - aired
        }
    }

    @Test("If lists date their first segment, segments have exact dates, over an hour", arguments: [5, 30, nil])
    func datedOnce(window: Int?) {
        let length = Duration.milliseconds(6_400)
        let worst = errorsDatedOnce(window: window, length: length, stated: length).map(\.magnitude).max() ?? .zero
        #expect(worst <= .milliseconds(1), "\(worst)")
    }

    @Test("Rounded lengths of segments make dates inexact until frames tell, and never let them jump to and fro")
    func datedOnceAndRounded() {
        let errors = errorsDatedOnce(window: 5, length: .milliseconds(6_400), stated: .seconds(6))
        #expect(errors[0].magnitude <= .seconds(2) && errors.dropFirst(5).allSatisfy { $0 == .zero }, "\(errors[..<9])")
        let endless = errorsDatedOnce(window: nil, length: .milliseconds(6_400), stated: .seconds(6))
        let jumps = zip(endless, endless.dropFirst()).count { ($0 - $1).magnitude > .milliseconds(50) }
        #expect(jumps == 0 && endless[0].magnitude <= .seconds(20), "\(jumps), \(endless[0])")
    }
}
