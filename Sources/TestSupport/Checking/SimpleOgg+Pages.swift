// SPDX-License-Identifier: MIT

import TestTools

extension SimpleOgg {
    /// An Ogg page as described by its header (RFC 3533, section 6).
    struct Page {
        var range: Range<Int>
        /// The granule position: the end time of the last packet that ends in the page, in the codec's unit. It is -1
        /// if no packet ends in the page.
        var granule: Int64
        var packetsEnded: Int
        /// Whether the last packet of the page continues in the next page.
        var endsInPacket: Bool
    }

    /// The pages of a file that contains only pages.
    ///
    /// - Throws: ``SetupError`` if a page does not start where the previous one ends, or is truncated.
    static func pages(_ file: [UInt8]) throws -> [Page] {
        var pages: [Page] = []
        var position = 0
        while position < file.count {
            guard file.count - position >= 27, file[position...].starts(with: Array("OggS".utf8)) else {
                throw SetupError("no Ogg page at byte \(position)")
            }
            let tableEnd = position + 27 + Int(file[position + 26])
            guard tableEnd <= file.count else { throw SetupError("the page at byte \(position) is cut") }
            let table = file[(position + 27)..<tableEnd]
            let end = tableEnd + table.reduce(0) { $0 + Int($1) }
            guard end <= file.count else { throw SetupError("the page at byte \(position) is cut") }
            let granule = file[(position + 6)..<(position + 14)].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            pages.append(
                Page(
                    range: position..<end, granule: Int64(bitPattern: granule),
                    packetsEnded: table.count { $0 < 255 }, endsInPacket: table.last == 255))
            position = end
        }
        return pages
    }
}
