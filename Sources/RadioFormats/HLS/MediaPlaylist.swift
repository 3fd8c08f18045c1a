// SPDX-License-Identifier: MIT

/// A playlist of segments.
package struct MediaPlaylist: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Segments are only added (EVENT).
        case event
        /// Nothing changes (VOD).
        case vod
    }

    /// The most segments that are kept; of longer lists, the newest.
    package static let mostSegments = 20_000
    static let mostDateRanges = 500

    /// How long a segment is at most, as the playlist says: 1 s to 120 s. Without a statement, that of the longest one.
    package var targetDuration: Duration
    /// The number of the first segment that the playlist lists.
    package var mediaSequence: Int64
    package var discontinuitySequence: Int64
    /// Whether no further segments will be listed (EXT-X-ENDLIST).
    package var isEnded: Bool
    package var kind: Kind?
    /// The segments, in the order of their numbers, which increase by one.
    package var segments: [ListedSegment]
    package var dateRanges: [DateRange]
}

/// A segment, as a playlist lists it.
package struct ListedSegment: Hashable, Sendable {
    /// The media sequence number: means something only together with numbers of the same media playlist.
    package var number: Int64
    package var url: String
    /// The part of the resource that is the segment; nil if it is the whole resource.
    package var range: ByteRange?
    /// How long the segment is, nominally: not negative, a day at most. Without a statement, the target duration.
    package var duration: Duration
    /// The text behind the comma of `#EXTINF`, as written; nil if it is empty. See ``SegmentTitle``.
    package var info: String?
    /// The date of the first sample, as written in the tag before this very segment (EXT-X-PROGRAM-DATE-TIME).
    package var date: String?
    /// Whether the playlist says that the segment does not continue the segment before (EXT-X-DISCONTINUITY).
    package var isDiscontinuous: Bool
    /// The discontinuity sequence number.
    package var discontinuity: Int64
    /// Whether the segment is known to be absent, and must not be requested (EXT-X-GAP).
    package var isGap: Bool
    /// How the segment is encrypted; nil if it is not.
    package var key: SegmentKey?
    /// What must be read before the segment (EXT-X-MAP).
    package var map: SegmentMap?
    package var cue: SegmentCue?
}

/// A part of a resource (EXT-X-BYTERANGE). The end is never beyond 64 bits.
package struct ByteRange: Hashable, Sendable {
    package let offset: Int64
    /// The number of bytes, at least one.
    package let length: Int64
    package var end: Int64 { offset + length }

    /// Parses `length@offset` or `length`, which begins at `start`.
    init(_ text: String, start: Int64 = 0) throws(HLSProblem) {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard let length = parts.first.flatMap({ HLSNumber.integer($0) }), length > 0,
            let offset = parts.count > 1 ? HLSNumber.integer(parts[1]) : start, offset >= 0,
            !offset.addingReportingOverflow(length).overflow
        else { throw .malformed("EXT-X-BYTERANGE", Array(text.utf8)) }
        (self.offset, self.length) = (offset, length)
    }
}

/// How a segment is encrypted (EXT-X-KEY).
package enum SegmentKey: Hashable, Sendable {
    /// The whole segment with AES-128 in CBC mode. The vector is 16 bytes, or that of the segment's number if nil.
    case aes128(url: String, vector: [UInt8]?)
    /// In a way that Aircheck does not support: its name, such as `SAMPLE-AES`, for messages.
    case encrypted(String)

    /// The initialization vector of a segment without a stated one (RFC 8216 §5.2).
    package static func vector(of number: Int64) -> [UInt8] {
        [UInt8](repeating: 0, count: 8) + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
}

/// The initialization section of segments: the head of their format.
package struct SegmentMap: Hashable, Sendable {
    package var url: String
    package var range: ByteRange?
    /// The section is encrypted as segments at its place are.
    package var key: SegmentKey?
}
