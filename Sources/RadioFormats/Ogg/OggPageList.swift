// SPDX-License-Identifier: MIT

/// Iterates over whole pages that follow each other; ends at the first bytes that are not a page.
package struct OggPageList: Sequence, IteratorProtocol {
    package struct Item {
        /// The range of the page.
        package let range: Range<Int>
        package let bytes: UnsafeRawBufferPointer
        /// The number of samples that can be played once the packets that end on the page are decoded; nil if no packet
        /// ends on it.
        package let granule: Int64?
        /// The packet data on the page.
        package let payload: UnsafeRawBufferPointer
    }

    private let pages: UnsafeRawBufferPointer
    private var start = 0

    package init(_ pages: UnsafeRawBufferPointer) {
        self.pages = pages
    }

    package mutating func next() -> Item? {
        let rest = UnsafeRawBufferPointer(rebasing: pages[start...])
        guard case .page(let page, _) = OggPage.look(rest), page.length <= rest.count else { return nil }
        defer { start += page.length }
        return Item(
            range: start..<start + page.length, bytes: UnsafeRawBufferPointer(rebasing: rest[..<page.length]),
            granule: page.granule == .max ? nil : Int64(clamping: page.granule),
            payload: UnsafeRawBufferPointer(rebasing: rest[page.headerLength..<page.length]))
    }
}
