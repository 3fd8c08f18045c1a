// SPDX-License-Identifier: MIT

import Instants
import RadioFormats

/// The segments that the lists of one lineage have named, in the order of their numbers. A value.
struct HLSWindow: Sendable {
    struct Entry: Sendable {
        /// As the newest list names it.
        var segment: ListedSegment
        /// Its addresses at other edges, the oldest first.
        var otherURLs: [String] = []
        let date: WallInstant?
        /// When a list first named it.
        let listed: MonotonicInstant
        /// When its end was at the station's edge, at the latest.
        let due: MonotonicInstant
        var progress = Progress.wanted
        /// How often it was asked for, and when it may be again.
        var tries = 0
        var nextTry: MonotonicInstant
        /// Why it could not be fetched.
        var failure: Failure?

        var number: Int64 { segment.number }
    }

    enum Progress: Hashable, Sendable {
        /// Not at hand, and awaited in its order.
        case wanted
        /// At hand, with its size in bytes.
        case held(Int)
        /// What follows was delivered without it. It may still be found.
        case givenUp
        case over
    }

    /// How a list relates to what is known.
    enum Relation: Hashable, Sendable {
        /// It goes on with the numbers. `isBehind`: it is older than a list before.
        case continues(isBehind: Bool)
        /// Its numbers are of another lineage. `isNewer`: its dates say so.
        case other(isNewer: Bool)
    }

    private(set) var entries: [Entry] = []
    /// The index of the next entry in order; the number of all entries if there is none.
    private(set) var cursor = 0
    /// The playing time of the longest list.
    private(set) var longestList = Duration.zero

    /// So many entries are remembered that were delivered: a stale list names them again.
    private static let mostPast = 1_000
    private static let mostAddresses = 4
    /// Edges date a segment alike to within this time, if they name it differently.
    private static let sameDate = Duration.seconds(1)
    /// Some packagers date a segment anew in each list.
    private static let mostRedated = Duration.seconds(10)

    var next: Entry? { cursor < entries.count ? entries[cursor] : nil }

    /// When the newest segment was on air, by its date.
    var newestDate: WallInstant? { entries.last?.date }

    func index(of number: Int64) -> Int? {
        let index = (0..<entries.count).firstByBisection { entries[$0].number >= number }
        return index < entries.count && entries[index].number == number ? index : nil
    }

    mutating func update(_ number: Int64, _ change: (inout Entry) -> Void) {
        if let index = index(of: number) { change(&entries[index]) }
    }

    /// When a segment ends to be available, at the earliest: its length and that of the longest list that has named it
    /// after it was named first (RFC 8216 §6.2.2).
    func availableUntil(_ entry: Entry) -> MonotonicInstant {
        entry.listed + entry.segment.duration + longestList
    }
}

// MARK: - Lists

extension HLSWindow {
    /// `isWhole`: whether all segments of the programme are known, so that numbers and lengths tell it from others.
    func relation(_ list: MediaPlaylist, isWhole: Bool = false) -> Relation {
        let common = list.segments.compactMap { segment in index(of: segment.number).map { (entries[$0], segment) } }
        let isSame =
            isWhole
            ? list.segments.last?.number == entries.last?.number
                && common.allSatisfy { $0.segment.duration == $1.duration }
            : common.contains { Self.isSame($0, $1) }
        guard isSame, let last = list.segments.last, let newest = entries.last else {
            let newest = (newestDate, list.segments.last.flatMap { Self.date(of: $0) })
            if case (let known?, let listed?) = newest { return .other(isNewer: listed > known) }
            return .other(isNewer: false)
        }
        return .continues(isBehind: last.number < newest.number)
    }

    private static func isSame(_ entry: Entry, _ segment: ListedSegment) -> Bool {
        let isNamedAlike = name(entry.segment.url) == name(segment.url)
        guard let known = entry.date, let date = date(of: segment) else { return isNamedAlike }
        return (known - date).magnitude < (isNamedAlike ? mostRedated : sameDate)
    }

    /// The part of an address that edges have in common: its last part, without a token.
    private static func name(_ url: String) -> Substring {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        return path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path
    }

    /// Takes a list whose numbers go on, and returns whether it names new segments. `isWhole`: whether all segments are
    /// known, and this list has new addresses for them, because those before are refused.
    mutating func take(_ list: MediaPlaylist, _ now: MonotonicInstant, isWhole: Bool = false) -> Bool {
        var left = list.segments.reduce(Duration.zero) { $0 + $1.duration }
        longestList = max(longestList, left)
        let newest = entries.last?.number
        var hasNews = false
        for segment in list.segments {
            left -= segment.duration
            if let index = index(of: segment.number) {
                if !isWhole {
                    renew(index, segment)
                } else if entries[index].progress == .wanted, entries[index].segment != segment {
                    (entries[index].segment, entries[index].nextTry, hasNews) = (segment, now, true)
                }
            } else if newest.map({ segment.number > $0 }) ?? true {
                entries.append(
                    Entry(
                        segment: segment, date: Self.date(of: segment), listed: now, due: now - left, nextTry: now))
            }
        }
        let past = cursor - Self.mostPast
        if past > 0 {
            entries.removeFirst(past)
            cursor -= past
        }
        return hasNews || entries.last?.number != newest
    }

    private mutating func renew(_ index: Int, _ segment: ListedSegment) {
        let old = entries[index].segment.url
        guard old != segment.url, entries[index].progress != .over else { return }
        entries[index].segment.url = segment.url
        entries[index].otherURLs.removeAll { $0 == segment.url || $0 == old }
        entries[index].otherURLs.append(old)
        if entries[index].otherURLs.count >= Self.mostAddresses { entries[index].otherURLs.removeFirst() }
    }

    static func date(of segment: ListedSegment) -> WallInstant? {
        segment.date.flatMap { CivilTime(listDate: $0)?.instant }
    }
}

// MARK: - Order

extension HLSWindow {
    /// Leaves out the entries before an index.
    mutating func begin(at index: Int) {
        for past in cursor..<max(cursor, index) { entries[past].progress = .over }
        cursor = max(cursor, index)
    }

    /// Passes the next entry.
    mutating func pass(_ progress: Progress) {
        guard cursor < entries.count else { return }
        entries[cursor].progress = progress
        cursor += 1
    }
}

extension CivilTime {
    /// Parses the date of a list (EXT-X-PROGRAM-DATE-TIME): RFC 3339, an offset without a colon, or none at all, which
    /// means UTC.
    package init?(listDate text: String) {
        var text = text
        let tail = Array(text.utf8.suffix(6))
        if tail.count == 6, let sign = tail.dropFirst().first, "+-".utf8.contains(sign) {
            text.insert(":", at: text.utf8.index(text.endIndex, offsetBy: -2))
        } else if let last = tail.last, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(last),
            !tail.starts(with: "+".utf8), !tail.starts(with: "-".utf8)
        {
            text += "Z"
        }
        self.init(rfc3339: text)
    }
}
