// SPDX-License-Identifier: MIT

/// Renumbers the pages of one logical stream so that they follow the header pages of a new file, after the original
/// file could not be written any further. Page sequence and granule positions start anew. Pass it all pages, in order.
package struct OggContinuation: Sendable {
    /// The samples in the first file.
    private let samples: UInt64
    /// The sequence number of the first page after the headers.
    private let firstSequence: UInt32
    /// The number that is subtracted from the sequence numbers; nil before the first page.
    private var sequenceShift: UInt32?

    /// Creates the continuation of a stream after `samples` samples, in a file that begins with `header` (whole pages).
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

    /// The ranges of the pages, up to the first bytes that are not a page.
    private static func pageStarts(in bytes: [UInt8]) -> [Range<Int>] {
        bytes.withUnsafeBytes { OggPageList($0).map(\.range) }
    }

    private static let granuleField = 6
    private static let sequenceField = 18
}
