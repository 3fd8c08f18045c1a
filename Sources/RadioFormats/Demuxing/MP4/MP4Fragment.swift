// SPDX-License-Identifier: MIT

/// The samples of the audio track in one fragment (`moof`, ISO/IEC 14496-12 §8.8).
struct MP4Fragment {
    /// In the order of playing. None of them is empty.
    private(set) var runs: [MP4Run] = []
    private let index: MP4Index
    /// The offset of the fragment in the file.
    private let start: Int
    /// Where the data of the tracks read so far ends.
    private var end: Int

    /// How far behind the fragment's start a stated base is believed. In a segment that was fetched alone, offsets in
    /// the whole file mean nothing.
    private static let nearest = 16 << 20

    /// Reads the content of a fragment's box, which begins at `start`.
    init(_ fragment: MP4Fields, at start: Int, _ index: MP4Index) throws(DemuxProblem) {
        (self.index, self.start, end) = (index, start, start)
        var boxes = fragment
        while let box = try boxes.box() {
            if box.type == "traf" { try take(box.fields) }
        }
    }

    /// Reads a track of the fragment.
    private mutating func take(_ track: MP4Fields) throws(DemuxProblem) {
        var header = try track.needed("tfhd")
        let flags = try header.versionAndFlags().flags
        let id = try header.integer(4)
        var base = flags & 0x02_0000 != 0 ? start : end
        if flags & 0x1 != 0 {
            let stated = try header.integer(8)
            base = (start...start + Self.nearest).contains(stated) ? stated : start
        }
        if flags & 0x2 != 0 { try header.skip(4) }
        if flags & 0x8 != 0 { try header.skip(4) }
        let size = flags & 0x10 != 0 ? try header.integer(4) : index.defaultSizes[id] ?? 0
        var time = id == index.track ? try decodeTime(track) : nil
        end = base
        var boxes = track
        while let box = try boxes.box() {
            guard box.type == "trun", var run = try run(box.fields, from: base, size) else { continue }
            guard id == index.track else { continue }
            swap(&run.time, &time)
            runs.append(run)
        }
    }

    /// When the first sample of the track is presented, as far as its decoding time tells: audio has no other.
    private func decodeTime(_ track: MP4Fields) throws(DemuxProblem) -> MediaTime? {
        guard var fields = try track.first("tfdt") else { return nil }
        let width = try fields.versionAndFlags().version == 1 ? 8 : 4
        return MediaTime(ticks: Int64(try fields.integer(width)), scale: index.scale)
    }

    /// Reads a run of samples; nil if it is empty. `size`: the size of samples whose sizes are not stated.
    private mutating func run(
        _ fields: MP4Fields, from base: Int, _ size: Int
    ) throws(DemuxProblem) -> MP4Run? {
        var fields = fields
        let flags = try fields.versionAndFlags().flags
        let count = try fields.integer(4)
        if flags & 0x1 != 0 {
            let (place, overflows) = base.addingReportingOverflow(
                Int(Int32(truncatingIfNeeded: try fields.integer(4))))
            guard !overflows, place >= 0 else { throw .malformed("a run of samples lies outside the file") }
            end = place
        }
        if flags & 0x4 != 0 { try fields.skip(4) }
        var sizes = MP4Sizes(size, count: count)
        if flags & 0x200 != 0 {
            // Each row may have a length, a size, flags, and an offset of its time.
            let stride = 4 * (flags >> 8 & 0xF).nonzeroBitCount
            let place = flags & 0x100 != 0 ? 4 : 0
            sizes = MP4Sizes(try MP4Numbers(count, at: place, width: 4, stride: stride, in: fields))
        }
        let run = MP4Run(at: end, sizes, 0..<sizes.count)
        end = try run.end
        return run.isEmpty ? nil : run
    }
}
