// SPDX-License-Identifier: MIT

/// An ADTS frame whose channels have no spectrum (ISO/IEC 13818-7 §6.3, 14496-3 §4.4.2), filled up to the size of the
/// stream's frames.
///
/// It does not depend on the frames before it. Streams with checksums get no such frame, because the checksums cover
/// parts of each element.
enum EmptyADTSFrame {
    static func unit(after tail: [[UInt8]], bitRate: Double) -> SilentUnit? {
        guard let last = tail.last, last.count >= ADTSHeader.byteCount,
            let header = last.withUnsafeBytes({ ADTSHeader($0) }), header.fixed >> 12 & 1 == 1,
            let elements = elements(ofConfiguration: Int(header.fixed >> 2 & 7))
        else { return nil }
        var block = BitWriter()
        var tags: [Element: UInt32] = [:]
        for element in elements {
            element.write(tag: tags[element, default: 0], into: &block)
            tags[element, default: 0] += 1
        }
        let size = bitRate / 8 * 1024 / Double(header.format.sampleRate) - Double(ADTSHeader.byteCount)
        block.fill(to: 8 * Int(min(size, Double(header.longestLength - ADTSHeader.byteCount))) - Element.endBits)
        block.put(Element.end, bits: Element.endBits)
        let frame = self.header(header.fixed, length: ADTSHeader.byteCount + block.bytes.count) + block.bytes
        return SilentUnit(bytes: frame, frames: 1, samples: 1024)
    }

    /// The header: the 28 fixed bits, no copyright, the length, a buffer fullness that means a variable rate, one
    /// block.
    private static func header(_ fixed: UInt32, length: Int) -> [UInt8] {
        var bits = BitWriter()
        bits.put(fixed, bits: 28)
        bits.put(0, bits: 2)
        bits.put(UInt32(length), bits: 13)
        bits.put(0x7FF, bits: 11)
        bits.put(0, bits: 2)
        return bits.bytes
    }

    /// The elements of a channel configuration, in order; nil if the stream itself defines them.
    private static func elements(ofConfiguration number: Int) -> [Element]? {
        switch number {
        case 1: [.single]
        case 2: [.pair]
        case 3: [.single, .pair]
        case 4: [.single, .pair, .single]
        case 5: [.single, .pair, .pair]
        case 6: [.single, .pair, .pair, .effects]
        case 7: [.single, .pair, .pair, .pair, .effects]
        default: nil
        }
    }

    /// Syntactic elements by their number.
    private enum Element: UInt32 {
        case single = 0
        case pair = 1
        case effects = 3

        static let end: UInt32 = 7
        static let endBits = 3

        func write(tag: UInt32, into block: inout BitWriter) {
            block.put(rawValue, bits: 3)
            block.put(tag, bits: 4)
            switch self {
            case .single, .effects:
                // `global_gain`, then the window.
                block.put(0, bits: 8)
                Self.writeWindow(into: &block)
                // No pulses, no noise shaping, no gain control.
                block.put(0, bits: 3)
            case .pair:
                // A window common to both channels, and no band coded as mid and side.
                block.put(1, bits: 1)
                Self.writeWindow(into: &block)
                block.put(0, bits: 2)
                for _ in 0..<2 { block.put(0, bits: 8 + 3) }
            }
        }

        /// Writes `ics_info` of one long window without a single band, and without prediction.
        private static func writeWindow(into block: inout BitWriter) {
            block.put(0, bits: 11)
        }
    }
}

/// Writes bits, the most significant first; the last byte is padded with zeros.
private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var free = 0

    var count: Int { 8 * bytes.count - free }

    mutating func put(_ value: UInt32, bits: Int) {
        for bit in (0..<bits).reversed() {
            if free == 0 {
                bytes.append(0)
                free = 8
            }
            free -= 1
            if value >> bit & 1 == 1 { bytes[bytes.count - 1] |= 1 << free }
        }
    }
}

extension BitWriter {
    /// Writes fill elements (`EXT_FILL_DATA`) until there are about `wanted` bits. The smallest element takes 15 bits,
    /// so up to 14 bits may be missing.
    mutating func fill(to wanted: Int) {
        while wanted - count >= Fill.shortHead + 8 {
            let long = min((wanted - count - Fill.longHead) / 8, Fill.mostBytes)
            let length = long >= Fill.escape ? long : min((wanted - count - Fill.shortHead) / 8, Fill.escape - 1)
            put(Fill.element, bits: 3)
            put(UInt32(min(length, Fill.escape)), bits: 4)
            if length >= Fill.escape { put(UInt32(length - Fill.escape + 1), bits: 8) }
            // The type and an empty nibble, then the bytes that the standard demands.
            put(0x10, bits: 8)
            for _ in 1..<length { put(0xA5, bits: 8) }
        }
    }

    private enum Fill {
        static let element: UInt32 = 6
        /// The element's number and a length of 4 bits.
        static let shortHead = 7
        /// The bits of a short head, and 8 more bits of length.
        static let longHead = 15
        /// The length from which on there are more bits of it, which count from one less.
        static let escape = 15
        static let mostBytes = 15 + 255 - 1
    }
}
