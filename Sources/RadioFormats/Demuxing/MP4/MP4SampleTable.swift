// SPDX-License-Identifier: MIT

/// Where the samples of a track are in a progressive file, and how long they last (ISO/IEC 14496-12 §8.6 and §8.7).
///
/// Yields them chunk by chunk, in the order of playing.
struct MP4SampleTable {
    private let sizes: MP4Sizes
    /// The offsets of the chunks.
    private let chunks: MP4Numbers
    /// For each group of chunks with equal numbers of samples: the number of its first chunk, counted from 1, and the
    /// number of samples in a chunk.
    private let groups: (first: MP4Numbers, samples: MP4Numbers)
    /// For each group of samples of equal length: their number, and the length of each.
    private let lengths: (count: MP4Numbers, length: MP4Numbers)

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
        groups.first = try MP4Numbers(listedIn: grouping, stride: 12)
        groups.samples = try MP4Numbers(listedIn: grouping, at: 4, stride: 12)
        lengths.count = try MP4Numbers(listedIn: timing, stride: 8)
        lengths.length = try MP4Numbers(listedIn: timing, at: 4, stride: 8)
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

    var isEmpty: Bool { sizes.count == 0 }

    /// Takes the samples of the next chunk; nil after the last.
    mutating func next() throws(DemuxProblem) -> MP4Run? {
        guard sample < sizes.count, chunk < chunks.count, groups.first.count > 0 else { return nil }
        while group + 1 < groups.first.count, groups.first[group + 1] <= chunk + 1 { group += 1 }
        let count = min(groups.samples[group], sizes.count - sample)
        let offset = chunks[chunk]
        guard offset >= 0 else { throw .malformed("a chunk lies beyond any file") }
        defer { (sample, chunk) = (sample + count, chunk + 1) }
        return MP4Run(at: offset, sizes, sample..<sample + count)
    }
}
