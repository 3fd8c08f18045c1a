// SPDX-License-Identifier: MIT

import Instants
import RadioCore

@testable import RadioFormats

/// A station that lists segments, as a value that depends on the time alone.
struct ListedStation {
    /// How often it began its numbers anew.
    var run = 0
    /// When the first segment of this run began, and its number.
    var began: MonotonicInstant
    var first: Int64 = 0
    var length = Duration.seconds(6)
    var target = Duration.seconds(6)
    var window = 6
    var isDated = true
    /// Whether only the first segment of a list has a date.
    var datesFirstOnly = false
    /// Whether runs have the same names.
    var keepsNames = false
    var isEnded = false

    /// The number of segments of this run that are whole.
    func count(_ now: MonotonicInstant) -> Int64 {
        length > .zero ? max(0, (now - began).wholeNanoseconds / length.wholeNanoseconds) : Int64(window)
    }

    func list(_ now: MonotonicInstant) -> MediaPlaylist {
        let count = count(now)
        let indices = max(0, count - Int64(window))..<count
        var segments = indices.map(segment)
        if datesFirstOnly { for index in segments.indices.dropFirst() { segments[index].date = nil } }
        return .listing(segments, target: target, isEnded: isEnded)
    }

    func segment(_ index: Int64) -> ListedSegment {
        var segment = ListedSegment.listed(first + index, length, name: "r\(keepsNames ? 0 : run)-\(first + index)")
        if isDated { segment.date = Self.date(began + length.scaled(index)) }
        return segment
    }

    /// The date of an instant, in milliseconds.
    static func date(_ instant: MonotonicInstant) -> String {
        let (seconds, rest) = instant.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let civil = CivilTime(WallInstant(nanoseconds: (1_800_000_000 + seconds) * 1_000_000_000), utcOffset: 0)
        return "\(civil.rfc3339.prefix(19)).\(String(1_000 + rest / 1_000_000).dropFirst())Z"
    }
}

extension MediaPlaylist {
    static func listing(
        _ segments: [ListedSegment], target: Duration = .seconds(6), isEnded: Bool = false
    ) -> MediaPlaylist {
        MediaPlaylist(
            targetDuration: target, mediaSequence: segments.first?.number ?? 0, discontinuitySequence: 0,
            isEnded: isEnded, kind: nil, segments: segments, dateRanges: [])
    }
}

extension ListedSegment {
    static func listed(
        _ number: Int64, _ length: Duration = .seconds(6), name: String? = nil, date: String? = nil
    ) -> ListedSegment {
        ListedSegment(
            number: number, url: "http://radio.test/live/\(name ?? "\(number)").ts?token=\(number % 7)", range: nil,
            duration: length, info: nil, date: date, isDiscontinuous: false, discontinuity: 0, isGap: false, key: nil,
            map: nil)
    }
}
