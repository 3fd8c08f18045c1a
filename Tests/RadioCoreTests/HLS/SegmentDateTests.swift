// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Testing

struct SegmentDateTests {
    private static let noon = CivilTime(rfc3339: "2026-03-01T12:00:00Z")?.instant

    /// The dates of segments of six seconds, in seconds after noon. `dates` has the stated ones; `breaks` the segments
    /// before which there is a discontinuity.
    private func seconds(
        _ count: Int64 = 6, dates: [Int64: Int], breaks: Set<Int64> = [], from first: Int = 0
    ) throws -> [Int?] {
        let noon = try #require(Self.noon)
        let segments = (0..<count).map { number in
            var segment = ListedSegment.listed(number)
            segment.date = dates[number].map { "2026-03-01T12:0\($0 / 60):\(String(100 + $0 % 60).dropFirst())Z" }
            segment.isDiscontinuous = breaks.contains(number)
            return segment
        }
        return DatedSegments(.listing(segments), from: first).map { _, date in
            date.map { Int(($0.instant - noon).wholeNanoseconds / 1_000_000_000) }
        }
    }

    @Test("Segments are dated by the date before them, or else by the first one after them") func both() throws {
        #expect(try seconds(dates: [0: 10]) == [10, 16, 22, 28, 34, 40])
        #expect(try seconds(dates: [3: 40]) == [22, 28, 34, 40, 46, 52])
        #expect(try seconds(dates: [1: 10, 4: 100]) == [4, 10, 16, 22, 100, 106])
        #expect(try seconds(dates: [:]) == [nil, nil, nil, nil, nil, nil])
        #expect(try seconds(0, dates: [:]).isEmpty)
    }

    @Test("A discontinuity ends what a date tells, in both directions") func discontinuity() throws {
        #expect(try seconds(dates: [0: 10], breaks: [2]) == [10, 16, nil, nil, nil, nil])
        #expect(try seconds(dates: [5: 40], breaks: [3]) == [nil, nil, nil, 28, 34, 40])
        #expect(try seconds(dates: [0: 10, 4: 100], breaks: [2]) == [10, 16, 88, 94, 100, 106])
    }

    @Test("From any segment on, the dates are the same", arguments: -1..<9) func later(first: Int) throws {
        let all: [Int?] = [10, 16, nil, 88, 94, 100]
        let found = try seconds(dates: [0: 10, 4: 94], breaks: [2, 3], from: first)
        #expect(found == (first < 0 ? [] : Array(all.dropFirst(first))))
    }

    @Test("Each length in whole seconds may be half a second off") func rounding() {
        var segments = (0..<4).map { ListedSegment.listed($0, .milliseconds($0 == 2 ? 6_400 : 6_000)) }
        segments[1].date = "2026-03-01T12:00:00Z"
        let errors = DatedSegments(.listing(segments)).map { $0.date?.error }
        #expect(errors == [.milliseconds(500), .zero, .milliseconds(500), .milliseconds(500)])
    }

    @Test(
        "Dates of lists are those of RFC 3339, with an offset without a colon, or without any",
        arguments: [
            ("2026-03-01T12:00:00.250Z", 250), ("2026-03-01T13:00:00+0100", 0), ("2026-03-01T12:00:00", 0),
            ("2026-03-01T10:30:00.5-01:30", 500), ("2026-03-01T12:00:00.125", 125),
        ])
    func dates(text: String, milliseconds: Int64) throws {
        let noon = try #require(CivilTime(rfc3339: "2026-03-01T12:00:00Z")).instant
        #expect(CivilTime(listDate: text)?.instant == noon + .milliseconds(milliseconds))
    }

    @Test(
        "What is no date is none",
        arguments: ["", "Z", "2026-13-01T00:00:00Z", "12:00:00", "+0000", "\u{e9}\u{e9}-0100"])
    func noDates(text: String) { #expect(CivilTime(listDate: text) == nil) }
}
