// SPDX-License-Identifier: MIT

/// The part of a track that is heard (an edit list, ISO/IEC 14496-12 §8.6.6): encoders add silence at both ends.
struct MP4Edit: Hashable {
    /// Where it begins, in ticks of the track.
    let start: Int
    /// How long it is, in ticks of the track; nil if it reaches to the end.
    let length: Int?

    /// Reads the first edit that is not a pause. Nil without one, and if it is malformed.
    init?(_ list: MP4Fields, movieScale: Int, scale: Int) {
        guard let found = try? Self.first(list) else { return nil }
        start = found.start
        let (ticks, overflows) = found.length.multipliedReportingOverflow(by: scale)
        guard !overflows else { return nil }
        length = ticks > 0 ? ticks / movieScale : nil
    }

    private static func first(_ list: MP4Fields) throws(DemuxProblem) -> (start: Int, length: Int)? {
        var list = list
        let width = try list.versionAndFlags().version == 1 ? 8 : 4
        for _ in 0..<min(4, try list.integer(4)) {
            let length = try list.integer(width)
            let start = try list.bytes(width).bigEndian(at: 0, count: width)
            try list.skip(4)
            // A pause begins at -1.
            if start >= 0, width == 8 || start <= Int32.max { return (start, length) }
        }
        return nil
    }
}
