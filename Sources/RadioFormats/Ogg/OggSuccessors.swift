// SPDX-License-Identifier: MIT

/// Searches the bytes that a long page claims for the two pages that should follow it. If both are found, the claimed
/// length is false (most likely the number of segments was damaged), and there is no need to wait for all the claimed
/// bytes. Each long page needs its own search.
///
/// A single page inside a packet proves nothing. The result does not depend on how the input is split: a page that
/// contains its two successors is rejected even if its own checksum is right.
struct OggSuccessors {
    enum Verdict: Hashable {
        /// Both pages are there.
        case found
        /// Undecided: to continue, this many bytes are needed, counted from the page's first byte.
        case needs(Int)
        /// The pages are not there.
        case none
    }

    private let page: OggPage
    /// Where the search continues: the first of the two pages does not begin before this place.
    private var place = OggPage.fixedLength

    init(of page: OggPage) {
        self.page = page
    }

    /// Continues the search in `bytes`, which begin with the page. Each detailed check is charged to `credit`; the
    /// search is given up when the credit is used up.
    mutating func look(in bytes: UnsafeRawBufferPointer, credit: inout Int) -> Verdict {
        let claimed = UnsafeRawBufferPointer(rebasing: bytes.prefix(page.length))
        while credit >= 0 {
            guard let next = claimed[place...].firstIndex(of: UInt8(ascii: "O")) else {
                place = max(place, claimed.count)
                return claimed.count < page.length ? .needs(claimed.count + 1) : .none
            }
            place = next
            if place + OggPage.fixedLength > page.length { return .none }
            if place + OggPage.fixedLength > claimed.count { return .needs(place + OggPage.fixedLength) }
            if isNext(claimed) {
                switch pair(in: claimed) {
                case .needs(let count) where count <= page.length: return .needs(count)
                case .pages(let first, let second)
                where OggPageScanner.isTrue(first.0, first.1, &credit)
                    && OggPageScanner.isTrue(second.0, second.1, &credit):
                    return .found
                case .needs, .pages, .none: credit -= OggPage.longestHeader
                }
            }
            place += 1
        }
        return .none
    }

    /// Whether a header with the next page's number begins at the current place. The caller must make sure that there
    /// are enough bytes for a header.
    private func isNext(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let header = UnsafeRawBufferPointer(rebasing: bytes[place..<place + OggPage.fixedLength])
        let (serial, sequence): (UInt32, UInt32) = (header.littleEndian(at: 14), header.littleEndian(at: 18))
        return serial == page.serial && sequence == page.sequence &+ 1
    }

    private enum Pair {
        case none
        case needs(Int)
        /// Both pages: their bytes, and the checksums that they state.
        case pages((UnsafeRawBufferPointer, UInt32), (UnsafeRawBufferPointer, UInt32))
    }

    private func pair(in bytes: UnsafeRawBufferPointer) -> Pair {
        var found: [(UnsafeRawBufferPointer, UInt32)] = []
        var start = place
        for distance in [1, 2] as [UInt32] {
            switch successor(distance, at: start, in: bytes) {
            case .none: return .none
            case .needs(let count): return .needs(count)
            case .page(let next, let checksum):
                let end = start + next.length
                found.append((UnsafeRawBufferPointer(rebasing: bytes[start..<end]), checksum))
                start = end
            }
        }
        return .pages(found[0], found[1])
    }

    /// The page at `start`, if its number is `distance` after the claiming page's number.
    private func successor(_ distance: UInt32, at start: Int, in bytes: UnsafeRawBufferPointer) -> OggPage.Look {
        guard start <= bytes.count else { return .needs(start) }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        switch OggPage.look(rest) {
        case .none: return .none
        case .needs(let count): return .needs(start + count)
        case .page(let found, let checksum):
            guard found.serial == page.serial, found.sequence == page.sequence &+ distance else { return .none }
            return rest.count < found.length ? .needs(start + found.length) : .page(found, checksum: checksum)
        }
    }
}
