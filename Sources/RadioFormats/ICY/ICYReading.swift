// SPDX-License-Identifier: MIT

/// How much a metadata block looks like one: whether it was read from the place where the sender put it.
package enum ICYReading: Hashable, Sendable {
    /// Zeros. Digital silence looks the same.
    case empty
    /// Closed fields, and nothing behind them but the zeros that fill up the last 16 bytes.
    case wellFormed
    /// Text, but not as it should be: no field, one that is not closed, more zeros than are needed, or behind them what
    /// stood there in the block before. Some senders always do so; a block that was cut short looks like it, too.
    case loose
    /// What no text holds: control characters, or bytes behind the end of the text.
    case unreadable

    /// Reads the bytes of a block. `previous` is the block before it: senders that do not clear their buffer leave the
    /// end of that one behind a shorter text.
    package init(of block: [UInt8], after previous: [UInt8]? = nil) {
        let text = block.prefix { $0 != 0 }
        guard let last = block.lastIndex(where: { $0 != 0 }) else {
            self = .empty
            return
        }
        if text.contains(where: Self.isControl) || !Self.isStale(block[text.endIndex...], previous) {
            self = .unreadable
        } else if last < text.endIndex, block.count - text.count < 16, Self.isClosed(text) {
            self = .wellFormed
        } else {
            self = .loose
        }
    }

    /// Whether these bytes, the first after a block, are the beginning of another (`StreamTitle='…`): then the block's
    /// length was not what was read.
    package static func isBeginning(_ bytes: [UInt8]) -> Bool {
        let value = bytes.drop { $0 != UInt8(ascii: "=") }.dropFirst()
        return value.first == UInt8(ascii: "'") && !ICYMetadata(bytes).fields.isEmpty
    }

    private static func isControl(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): false
        default: byte < 0x20 || byte == 0x7F
        }
    }

    /// Whether all that stands behind the text are zeros, and what the block before had in the same place.
    private static func isStale(_ rest: ArraySlice<UInt8>, _ previous: [UInt8]?) -> Bool {
        rest.indices.allSatisfy { place in
            rest[place] == 0 || previous.map { place < $0.count && $0[place] == rest[place] } == true
        }
    }

    private static func isClosed(_ text: ArraySlice<UInt8>) -> Bool {
        guard !ICYMetadata(Array(text)).fields.isEmpty else { return false }
        let end = text.reversed().drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ";") }.first
        return end == UInt8(ascii: "'") || end == UInt8(ascii: "\"")
    }
}
