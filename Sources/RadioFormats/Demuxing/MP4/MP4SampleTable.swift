// SPDX-License-Identifier: MIT

/// Where the samples of a track are in a progressive file (ISO/IEC 14496-12 §8.7).
///
/// Yields them chunk by chunk, in the order of playing.
struct MP4SampleTable: Hashable {
    private let sizes: MP4Sizes
    /// The offsets of the chunks.
    private let chunks: MP4Numbers
    /// For each group of chunks with equal numbers of samples: the number of its first chunk, counted from 1, and the
    /// number of samples in a chunk.
    private let (groupFirst, groupSamples): (MP4Numbers, MP4Numbers)
    /// The length of the first sample, in ticks of the track; nil without any.
    let sampleLength: Int?

    /// The next sample, the next chunk, and the group of that chunk.
    private var (sample, chunk, group) = (0, 0, 0)

    private static let mostSamples = 10_000_000

    /// Reads the boxes of a sample table (`stbl`).
    init(_ table: MP4Fields) throws(DemuxProblem) {
        sizes = try Self.sizes(table)
        guard sizes.count <= Self.mostSamples else { throw .malformed("it has too many samples") }
        if let long = try table.first("co64") {
            chunks = try MP4Numbers(listedIn: long, width: 8, stride: 8)
        } else {
            chunks = try MP4Numbers(listedIn: table.needed("stco"), stride: 4)
        }
        let (grouping, timing) = (try table.needed("stsc"), try table.needed("stts"))
        groupFirst = try MP4Numbers(listedIn: grouping, stride: 12)
        groupSamples = try MP4Numbers(listedIn: grouping, at: 4, stride: 12)
        let lengths = try MP4Numbers(listedIn: timing, at: 4, stride: 8)
        sampleLength = lengths.count > 0 ? lengths[0] : nil
    }

    private static func sizes(_ table: MP4Fields) throws(DemuxProblem) -> MP4Sizes {
        if var fields = try table.first("stsz") {
            try fields.skip(4)
            let (size, count) = (try fields.integer(4), try fields.integer(4))
            return size > 0
                ? MP4Sizes(size, count: count) : MP4Sizes(try MP4Numbers(count, width: 4, stride: 4, in: fields))
        }
        var fields = try table.needed("stz2")
        try fields.skip(7)
        let (bits, count) = (try fields.integer(1), try fields.integer(4))
        // Samples whose sizes take four bits have no room for audio.
        guard bits == 8 || bits == 16 else { throw .malformed("its sample sizes have \(bits) bits") }
        return MP4Sizes(try MP4Numbers(count, width: bits / 8, stride: bits / 8, in: fields))
    }

    var count: Int { sizes.count }

    /// Takes the samples of the next chunk; nil after the last.
    mutating func next() throws(DemuxProblem) -> MP4Run? {
        guard sample < sizes.count, chunk < chunks.count, groupFirst.count > 0 else { return nil }
        while group + 1 < groupFirst.count, groupFirst[group + 1] <= chunk + 1 { group += 1 }
        let count = min(groupSamples[group], sizes.count - sample)
        let offset = chunks[chunk]
        guard offset >= 0 else { throw .malformed("a chunk lies beyond any file") }
        defer { (sample, chunk) = (sample + count, chunk + 1) }
        return MP4Run(at: offset, sizes, sample..<sample + count)
    }

    /// The place of the first byte, and that behind the last one; nil without samples, or if they lie beyond any file.
    var extent: Range<Int>? {
        var (table, extent) = (self, 0..<0)
        while let run = try? table.next() {
            guard let end = try? run.end, end >= run.offset else { return nil }
            extent = (extent.isEmpty ? run.offset : min(extent.lowerBound, run.offset))..<max(extent.upperBound, end)
        }
        return extent.isEmpty ? nil : extent
    }

    /// The samples from a sample on, which must exist: the rest of its chunk, and the table behind it.
    func from(_ first: Int) throws(DemuxProblem) -> (run: MP4Run, rest: MP4SampleTable)? {
        var table = self
        while var run = try table.next() {
            guard table.sample > first else { continue }
            for _ in 0..<run.count - (table.sample - first) { _ = try run.next() }
            return (run, table)
        }
        return nil
    }
}
