// SPDX-License-Identifier: MIT

extension Broadcast {
    /// The fields of an Ogg page header that a test may change.
    package struct PageFields: Hashable {
        package var sequence: UInt32
        package var granule: Int64
    }

    /// The same Ogg programme with changed page headers. Pages for which `change` returns false are removed: they are
    /// never sent, and the other pages keep their air times. Header pages are unchanged. Pages are numbered from the
    /// first page with audio.
    package func changingPages(_ change: (_ number: Int, _ page: inout PageFields) -> Bool) -> Broadcast {
        var bytes: [UInt8] = []
        var units: [Unit] = []
        var left: [Range<Int>] = []
        let headers = headerPages
        var start = 0
        for (index, unit) in self.units.enumerated() {
            let range = start..<unit.end
            start = unit.end
            var page = Array(self.bytes[range])
            if index >= headers {
                let old = PageFields(
                    sequence: UInt32(truncatingIfNeeded: Self.number(page, 18..<22)),
                    granule: Int64(bitPattern: Self.number(page, 6..<14)))
                var fields = old
                guard change(index - headers, &fields) else {
                    left.append(range)
                    continue
                }
                if fields != old {
                    Self.put(UInt64(bitPattern: fields.granule), into: &page, 6..<14)
                    Self.put(UInt64(fields.sequence), into: &page, 18..<22)
                    Self.put(UInt64(SimpleOgg.checksum(page)), into: &page, 22..<26)
                }
            }
            bytes += page
            units.append(Unit(end: bytes.count, airs: unit.airs))
        }
        let frames = frames.compactMap { frame -> Frame? in
            guard !left.contains(where: { $0.contains(frame.offset) }) else { return nil }
            let shift = left.filter { $0.upperBound <= frame.offset }.reduce(0) { $0 + $1.count }
            return Frame(bytes: frame.bytes, start: frame.start, length: frame.length, offset: frame.offset - shift)
        }
        return Broadcast(
            bytes: bytes, container: container, contentType: contentType, frames: frames, units: units, links: links)
    }

    /// The number of audio pages that have aired at a time.
    package func pagesAired(at time: Duration) -> Int {
        units.prefixCount { $0.airs <= time } - headerPages
    }

    private var headerPages: Int {
        units.prefixCount { $0.end <= links.first?.headers.upperBound ?? 0 }
    }

    private static func number(_ page: [UInt8], _ field: Range<Int>) -> UInt64 {
        page[field].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func put(_ value: UInt64, into page: inout [UInt8], _ field: Range<Int>) {
        for (shift, index) in field.enumerated() { page[index] = UInt8(truncatingIfNeeded: value >> (8 * shift)) }
    }
}
