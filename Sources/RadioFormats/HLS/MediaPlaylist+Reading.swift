// SPDX-License-Identifier: MIT

extension MediaPlaylist {
    init<Bytes>(_ lines: HLSLines<Bytes>, _ addresses: HLSAddresses) throws(HLSProblem) {
        let dropped = max(0, lines.addressCount - MediaPlaylist.mostSegments)
        var reader = MediaPlaylistReader(addresses: addresses, dropped: dropped)
        var lines = lines
        while let line = lines.next() {
            switch line {
            case .tag(let tag, let value): try reader.take(tag, value)
            case .address(let text): try reader.addSegment(text)
            }
        }
        self = reader.playlist
    }
}

/// Reads a media playlist line by line. Tags may stand in any order.
private struct MediaPlaylistReader {
    private static let longestDate = 64

    private var addresses: HLSAddresses
    private var target: Duration?
    private var mediaSequence: Int64 = 0
    private var discontinuitySequence: Int64 = 0
    private var isEnded = false
    private var kind: MediaPlaylist.Kind?
    /// The newest segments. Numbers count from zero here, and so do discontinuities.
    private var segments: [ListedSegment] = []
    private var count: Int64 = 0
    /// How many segments are not kept: the oldest.
    private let dropped: Int
    private var dateRanges: [DateRange] = []

    /// What applies to the next segment.
    private var duration: Duration?
    private var info: String?
    private var date: String?
    private var range: String?
    private var isDiscontinuous = false
    private var isGap = false
    private var cue: SegmentCue?
    /// What applies to all segments from here on.
    private var discontinuity: Int64 = 0
    private var map: SegmentMap?
    private var keys = SegmentKeys()
    /// The last range, which one without an offset continues: that of a segment, or of the map before the first.
    private var last: (url: String, end: Int64)?

    init(addresses: HLSAddresses, dropped: Int) {
        (self.addresses, self.dropped) = (addresses, dropped)
    }

    mutating func take(_ tag: String, _ value: some IndexedBytes) throws(HLSProblem) {
        switch tag {
        case "EXTINF" where count >= dropped:
            let comma = value.firstIndex(of: UInt8(ascii: ",")) ?? value.endIndex
            duration = HLSNumber.seconds(String(decoding: value[..<comma].trimmed { $0 <= 0x20 }, as: UTF8.self))
            info = Self.text(value[comma...].dropFirst())
        case "EXT-X-PROGRAM-DATE-TIME": date = Self.text(value.prefix(Self.longestDate))
        case "EXT-X-BYTERANGE": range = String(decoding: value, as: UTF8.self)
        case "EXT-X-DISCONTINUITY":
            discontinuity += 1
            isDiscontinuous = true
        case "EXT-X-GAP": isGap = true
        case "EXT-X-KEY": keys.take(HLSAttributes(value), &addresses)
        case "EXT-X-MAP": try takeMap(HLSAttributes(value))
        case "EXT-X-DATERANGE": addDateRange(HLSAttributes(value))
        case "EXT-X-DEFINE": addresses.define(HLSAttributes(value))
        case "EXT-X-TARGETDURATION": target = HLSNumber.seconds(String(decoding: value, as: UTF8.self))
        case "EXT-X-MEDIA-SEQUENCE": mediaSequence = try Self.number(tag, value)
        case "EXT-X-DISCONTINUITY-SEQUENCE": discontinuitySequence = try Self.number(tag, value)
        case "EXT-X-PLAYLIST-TYPE":
            kind = value.elementsEqual("EVENT".utf8) ? .event : value.elementsEqual("VOD".utf8) ? .vod : nil
        case "EXT-X-ENDLIST": isEnded = true
        case "EXT-X-CUE-OUT", "EXT-X-CUE-OUT-CONT", "EXT-X-CUE-IN": cue = SegmentCue(tag: tag, value)
        // The other tags say more, if there are any.
        case "EXT-OATCLS-SCTE35": cue = cue ?? SegmentCue(tag: tag, value)
        default: break
        }
    }

    mutating func addSegment(_ text: some IndexedBytes) throws(HLSProblem) {
        // Even a range that is not kept may be the one that others continue.
        if count >= dropped || range != nil {
            let url = try addresses.absolute(String(decoding: text, as: UTF8.self))
            let range = try Self.range(range, start: last?.url == url ? last?.end ?? 0 : 0)
            last = range.map { (url, $0.end) }
            if count >= dropped { segments.append(segment(url, range)) }
        }
        (duration, info, date, range, isDiscontinuous, isGap, cue) = (nil, nil, nil, nil, false, false, nil)
        count += 1
    }

    private func segment(_ url: String, _ range: ByteRange?) -> ListedSegment {
        ListedSegment(
            number: count, url: url, range: range, duration: duration ?? .seconds(-1), info: info, date: date,
            isDiscontinuous: isDiscontinuous, discontinuity: discontinuity, isGap: isGap, key: keys.current, map: map,
            cue: cue)
    }

    private mutating func takeMap(_ attributes: HLSAttributes) throws(HLSProblem) {
        guard let uri = attributes["URI"] else { return }
        let url = try addresses.absolute(uri)
        let range = try Self.range(attributes["BYTERANGE"].map { addresses.filled($0) })
        var key = keys.current
        // A map has no number from which a vector could be made.
        if case .aes128(_, nil) = key { key = .encrypted("AES-128 without an IV") }
        map = SegmentMap(url: url, range: range, key: key)
        if let range, last?.url != url { last = (url, range.end) }
    }

    private mutating func addDateRange(_ attributes: HLSAttributes) {
        guard let range = DateRange(attributes, &addresses) else { return }
        dateRanges.append(range)
        if dateRanges.count > 2 * MediaPlaylist.mostDateRanges {
            dateRanges.removeFirst(MediaPlaylist.mostDateRanges)
        }
    }

    /// The playlist, after its last line.
    var playlist: MediaPlaylist {
        mutating get {
            let longest = segments.lazy.map(\.duration).max() ?? .zero
            let target = max(.seconds(1), min(target ?? longest, .seconds(120)))
            for index in segments.indices {
                segments[index].number += mediaSequence
                segments[index].discontinuity += discontinuitySequence
                if segments[index].duration < .zero { segments[index].duration = target }
            }
            return MediaPlaylist(
                targetDuration: target, mediaSequence: mediaSequence, discontinuitySequence: discontinuitySequence,
                isEnded: isEnded, kind: kind, segments: segments,
                dateRanges: DateRange.merged(dateRanges.suffix(MediaPlaylist.mostDateRanges)))
        }
    }

    private static func range(_ text: String?, start: Int64 = 0) throws(HLSProblem) -> ByteRange? {
        guard let text else { return nil }
        return try ByteRange(text, start: start)
    }

    private static func number(_ tag: String, _ value: some IndexedBytes) throws(HLSProblem) -> Int64 {
        guard let number = HLSNumber.integer(String(decoding: value, as: UTF8.self)) else {
            throw .malformed(tag, value)
        }
        return number
    }

    /// A text that is not empty. Bytes that are not UTF-8 are read as Windows-1252, as in other lists.
    private static func text(_ bytes: some IndexedBytes) -> String? {
        let bytes = Array(bytes.trimmed { $0 <= 0x20 }.prefix(TitleText.longest))
        guard !bytes.isEmpty else { return nil }
        return String(validating: bytes, as: UTF8.self) ?? MixedText.decode(bytes, raw: Windows1252.scalar)
    }
}
