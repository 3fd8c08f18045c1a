// SPDX-License-Identifier: MIT

import Instants
import RadioFormats

/// The segments that the lists of one lineage have named, in the order of their numbers. A value.
struct HLSWindow: Sendable {
    struct Entry: Sendable {
        /// As the newest list names it.
        var segment: ListedSegment
        /// As lists before named it: with other addresses, ranges or keys. The oldest first.
        var others: [ListedSegment] = []
        /// According to the first list that dates it.
        var dating: SegmentDate?
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
        var date: WallInstant? { dating?.instant }
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
    /// The last number of the first list that was behind, since one brought news.
    private var behind: Int64?
    /// The highest discontinuity sequence number of a list.
    private var discontinuity: Int64 = 0

    /// Whether more is awaited than a list has.
    var isOverfull: Bool { entries.count - cursor > MediaPlaylist.mostSegments }

    /// So many entries are remembered that were delivered: a stale list names them again.
    private static let mostPast = 1_000
    private static let mostOthers = 4
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
    /// `isQuiet`: whether there has been no news for longer than there should be. `isWhole`: whether all segments of the
    /// programme are known, so that numbers and lengths tell it from others.
    mutating func relation(_ list: MediaPlaylist, isQuiet: Bool, isWhole: Bool = false) -> Relation {
        if isWhole, list.segments.last?.number == entries.last?.number, hasLengths(of: list) {
            return .continues(isBehind: false)
        }
        guard let last = list.segments.last, let newest = entries.last, !isWhole,
            let common = common(with: list)
        else {
            let listed = DatedSegments(list, from: list.segments.count - 1).first { _ in true }?.date
            if let newestDate, let listed { return .other(isNewer: listed.instant > newestDate) }
            return .other(isNewer: false)
        }
        guard last.number < newest.number else { return .continues(isBehind: false) }
        defer { behind = behind ?? last.number }
        // An encoder that began anew may have the old names and numbers. If no dates tell, this does.
        let hasAdvanced = isQuiet && behind.map { last.number > $0 } ?? false
        let isRenumbered =
            common.entry.segment.discontinuity != common.segment.discontinuity
            && max(discontinuity, list.discontinuitySequence) > 0
        return !common.isDated && (hasAdvanced || isRenumbered)
            ? .other(isNewer: false) : .continues(isBehind: true)
    }

    private func hasLengths(of list: MediaPlaylist) -> Bool {
        list.segments.allSatisfy { segment in
            index(of: segment.number).map { entries[$0].segment.duration == segment.duration } ?? true
        }
    }

    /// The first segment of a list that is known, and whether dates tell that it is the same; nil if there is none.
    private func common(with list: MediaPlaylist) -> (entry: Entry, segment: ListedSegment, isDated: Bool)? {
        guard let oldest = entries.first, let newest = entries.last else { return nil }
        let isNumbered = entries.count == 1 || Self.name(oldest.segment.url) != Self.name(newest.segment.url)
        for (segment, date) in DatedSegments(list, from: Self.index(of: oldest.number, in: list)) {
            guard segment.number <= newest.number else { break }
            guard let index = index(of: segment.number) else { continue }
            let entry = entries[index]
            let isNamedAlike = Self.isNamedAlike(entry.segment, segment, isNumbered: isNumbered)
            if let known = entry.dating, let date {
                let most = (isNamedAlike ? Self.mostRedated : Self.sameDate) + known.error + date.error
                if (known.instant - date.instant).magnitude < most { return (entry, segment, true) }
            } else if isNamedAlike {
                return (entry, segment, false)
            }
        }
        return nil
    }

    /// The index of the first segment that has this number or a higher one.
    private static func index(of number: Int64, in list: MediaPlaylist) -> Int {
        (0..<list.segments.count).firstByBisection { list.segments[$0].number >= number }
    }

    /// Whether edges may name one segment in both ways. `isNumbered`: whether the name of its file tells it from
    /// others.
    private static func isNamedAlike(_ one: ListedSegment, _ other: ListedSegment, isNumbered: Bool) -> Bool {
        if isNumbered { return name(one.url) == name(other.url) }
        return path(one.url) == path(other.url) && one.range == other.range
    }

    /// An address without its host.
    private static func path(_ url: String) -> Substring {
        let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count == 3 ? parts[2].drop { $0 != "/" && $0 != "?" } : url[...]
    }

    /// The part of an address that edges have in common: its last part, without a token.
    private static func name(_ url: String) -> Substring {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        return path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path
    }

    /// Takes a list whose numbers go on, and returns whether it names new segments. `isWhole`: whether all segments are
    /// known, and this list has new addresses for them, because those before are refused.
    mutating func take(_ list: MediaPlaylist, _ now: MonotonicInstant, isWhole: Bool = false) -> Bool {
        var hasNews = false
        longestList = max(longestList, list.segments.reduce(.zero) { $0 + $1.duration })
        let newest = entries.last?.number
        // What was delivered is of no interest any more.
        let first = Self.index(of: next?.number ?? newest ?? .min, in: list)
        var left = list.segments[first...].reduce(Duration.zero) { $0 + $1.duration }
        for (segment, date) in DatedSegments(list, from: first) {
            left -= segment.duration
            if let index = index(of: segment.number) {
                entries[index].dating = entries[index].dating ?? date
                if !isWhole {
                    renew(index, segment)
                } else if entries[index].progress == .wanted, entries[index].segment != segment {
                    (entries[index].segment, entries[index].nextTry, hasNews) = (segment, now, true)
                }
            } else if newest.map({ segment.number > $0 }) ?? true {
                entries.append(Entry(segment: segment, dating: date, listed: now, due: now - left, nextTry: now))
            }
        }
        discontinuity = max(discontinuity, list.discontinuitySequence)
        if entries.last?.number != newest { behind = nil }
        let past = cursor - Self.mostPast
        if past > 0 {
            entries.removeFirst(past)
            cursor -= past
        }
        return hasNews || entries.last?.number != newest
    }

    /// Takes the place, key and section by which a list names a known segment now.
    private mutating func renew(_ index: Int, _ segment: ListedSegment) {
        let entry = entries[index]
        guard entry.segment != segment, entry.progress == .wanted else { return }
        // Another edge may have what one lacks.
        if segment.isGap, !entry.segment.isGap, entry.failure == nil { return }
        let old = entry.segment
        entries[index].segment = segment
        guard !old.isGap, !old.isAlike(segment) else { return }
        entries[index].others.removeAll { $0.isAlike(segment) || $0.isAlike(old) }
        if entries[index].others.count >= Self.mostOthers { entries[index].others.removeFirst() }
        entries[index].others.append(old)
    }
}

extension ListedSegment {
    /// Whether the same requests lead to both.
    fileprivate func isAlike(_ other: ListedSegment) -> Bool {
        url == other.url && range == other.range && key == other.key && map == other.map
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
