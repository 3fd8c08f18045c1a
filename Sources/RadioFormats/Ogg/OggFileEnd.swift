// SPDX-License-Identifier: MIT

/// Finds where an incomplete Ogg file can end properly: after the last page on which a packet ends.
///
/// Feed it the file from its beginning with ``append(_:)``, then call ``finish()``. ``lastPage`` is then the page to
/// write at its offset, as the last bytes of the file. It is the existing page with the end-of-stream flag, and without
/// the beginning of a packet whose rest is lost. A value that holds one page.
package struct OggFileEnd {
    /// The page with which the file can end, and its offset; nil if there is none.
    package private(set) var lastPage: (offset: Int64, bytes: [UInt8])?

    private var scanner = OggPageScanner()

    package init() {}

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        scanner.append(bytes)
        scan()
    }

    package mutating func finish() {
        scanner.finish()
        scan()
        close()
    }

    private mutating func scan() {
        while let finding = scanner.next() {
            guard case .page(_, let range, let offset) = finding else { continue }
            let page = scanner.withBytes(range) { bytes in
                Self.endsPacket(bytes) ? [UInt8](bytes) : nil
            }
            if let page { lastPage = (offset, page) }
        }
    }

    private static func endsPacket(_ page: UnsafeRawBufferPointer) -> Bool {
        page[OggPage.fixedLength..<OggPage.fixedLength + Int(page[26])].contains { $0 < 255 }
    }

    /// Makes the page the last one of its stream.
    private mutating func close() {
        guard var page = lastPage?.bytes else { return }
        let table = OggPage.fixedLength..<OggPage.fixedLength + Int(page[26])
        let torn = page[table].reversed().prefix { $0 == 255 }.count
        page.removeLast(torn * 255)
        page.removeSubrange(table.upperBound - torn..<table.upperBound)
        page[26] -= UInt8(torn)
        page[5] |= OggPage.endFlag
        page.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(
                of: OggChecksum.of(page: UnsafeRawBufferPointer(bytes)).littleEndian,
                toByteOffset: OggPage.checksumField.lowerBound, as: UInt32.self)
        }
        lastPage?.bytes = page
    }
}
