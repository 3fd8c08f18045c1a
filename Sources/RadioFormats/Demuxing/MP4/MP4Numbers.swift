// SPDX-License-Identifier: MIT

/// The numbers of a table in a box, which stay as they are there: a table of hours needs no more memory than its file
/// spends on it.
struct MP4Numbers: Hashable {
    /// All rows of the table, from the number of the first row on.
    private let bytes: ArraySlice<UInt8>
    private let width: Int
    /// The bytes from row to row.
    private let stride: Int
    let count: Int

    static let none = MP4Numbers()

    private init() { (bytes, width, stride, count) = ([], 0, 0, 0) }

    /// Takes `count` rows of `stride` bytes from the front of `fields`, which they must contain. In each of them, a
    /// number of `width` bytes stands at `place`.
    init(_ count: Int, at place: Int = 0, width: Int, stride: Int, in fields: MP4Fields) throws(DemuxProblem) {
        let (size, overflows) = count.multipliedReportingOverflow(by: stride)
        guard !overflows, size <= fields.rest.count, place + width <= stride else {
            throw .malformed("a table is longer than its box")
        }
        (bytes, self.width, self.stride, self.count) = (fields.rest.prefix(size).dropFirst(place), width, stride, count)
    }

    /// Takes the rows of a table whose box states their number after its version and its flags.
    init(listedIn box: MP4Fields, at place: Int = 0, width: Int = 4, stride: Int) throws(DemuxProblem) {
        var fields = box
        try fields.skip(4)
        try self.init(fields.integer(4), at: place, width: width, stride: stride, in: fields)
    }

    /// The number of a row, which must exist. A number of eight bytes may come out negative.
    subscript(row: Int) -> Int { bytes.bigEndian(at: row * stride, count: width) }
}

/// The sizes of consecutive samples.
struct MP4Sizes: Hashable {
    /// The size of all of them; nil if the table states each.
    private let size: Int?
    private let table: MP4Numbers
    let count: Int

    /// A size that all samples have. Samples of no bytes do not count.
    init(_ size: Int, count: Int) {
        (self.size, table, self.count) = (size, .none, size > 0 ? count : 0)
    }

    init(_ table: MP4Numbers) { (size, self.table, count) = (nil, table, table.count) }

    /// The size of a sample, which must exist.
    subscript(sample: Int) -> Int { size ?? table[sample] }

    /// The bytes of some samples together.
    func total(_ samples: Range<Int>) throws(DemuxProblem) -> Int {
        guard let size else { return samples.reduce(0) { $0 &+ table[$1] } }
        let (total, overflows) = size.multipliedReportingOverflow(by: samples.count)
        guard !overflows else { throw .malformed("its samples are too large") }
        return total
    }
}

/// Samples of the track that lie one behind the other in the file.
struct MP4Run {
    /// The place of the next sample, counted from the file's first byte.
    private(set) var offset: Int
    private let sizes: MP4Sizes
    private var samples: Range<Int>
    /// When the first sample is presented, if it is stated.
    var time: MediaTime?

    var count: Int { samples.count }

    /// The place behind the last sample.
    var end: Int {
        get throws(DemuxProblem) {
            let (end, overflows) = offset.addingReportingOverflow(try sizes.total(samples))
            guard !overflows else { throw .malformed("a sample lies beyond any file") }
            return end
        }
    }

    init(at offset: Int, _ sizes: MP4Sizes, _ samples: Range<Int>) {
        (self.offset, self.sizes, self.samples) = (offset, sizes, samples)
    }

    var isEmpty: Bool { samples.isEmpty }

    /// Takes the next sample; nil if there is no further one.
    mutating func next() throws(DemuxProblem) -> (offset: Int, size: Int)? {
        guard let sample = samples.popFirst() else { return nil }
        let size = sizes[sample]
        let (end, overflows) = offset.addingReportingOverflow(size)
        guard !overflows else { throw .malformed("a sample lies beyond any file") }
        defer { offset = end }
        return (offset, size)
    }
}
