// SPDX-License-Identifier: MIT

/// Makes pages of one logical stream go on behind the header pages of another file, where their own file could not be
/// written any further: page sequence and granule positions start anew. A value; give it all pages, in order.
package struct OggContinuation: Sendable {
    /// Samples that stay behind in the first file.
    private let samples: UInt64
    /// The sequence number of the first page after the headers.
    private let firstSequence: UInt32
    /// What is taken off the sequence numbers; known with the first page.
    private var sequenceShift: UInt32?

    /// For a file that begins with `header` (whole pages), after `samples` samples of the stream.
    package init(header: [UInt8], samples: Int64) {
        self.samples = UInt64(clamping: samples)
        firstSequence = UInt32(Self.pageStarts(in: header).count)
    }

    /// Renumbers whole pages.
    package mutating func apply(to pages: [UInt8]) -> [UInt8] {
        var pages = pages
        for range in Self.pageStarts(in: pages) {
            pages.withUnsafeMutableBytes { bytes in
                apply(to: UnsafeMutableRawBufferPointer(rebasing: bytes[range]))
            }
        }
        return pages
    }

    private mutating func apply(to page: UnsafeMutableRawBufferPointer) {
        let sequence: UInt32 = UnsafeRawBufferPointer(page).littleEndian(at: Self.sequenceField)
        let shift = sequenceShift ?? sequence &- firstSequence
        sequenceShift = shift
        page.storeBytes(of: (sequence &- shift).littleEndian, toByteOffset: Self.sequenceField, as: UInt32.self)
        let granule: UInt64 = UnsafeRawBufferPointer(page).littleEndian(at: Self.granuleField)
        if granule != .max {
            let rest = granule > samples ? granule - samples : 0
            page.storeBytes(of: rest.littleEndian, toByteOffset: Self.granuleField, as: UInt64.self)
        }
        page.storeBytes(
            of: OggChecksum.of(page: UnsafeRawBufferPointer(page)).littleEndian,
            toByteOffset: OggPage.checksumField.lowerBound, as: UInt32.self)
    }

    /// Where the pages lie; what is no page is left out.
    private static func pageStarts(in bytes: [UInt8]) -> [Range<Int>] {
        bytes.withUnsafeBytes { OggPageList($0).map(\.range) }
    }

    private static let granuleField = 6
    private static let sequenceField = 18
}
