// SPDX-License-Identifier: MIT

/// Reads a list of comments (Vorbis I §5) as its bytes arrive. Keeps fields of ordinary length, and passes over longer
/// fields, such as covers, without holding them. A truncated list keeps the fields before the cut.
struct VorbisCommentReader {
    private enum Part {
        case vendorLength, vendor, count, fieldLength, field, end
    }

    /// The fields that have arrived so far.
    private(set) var comments = VorbisComment()
    private var part = Part.vendorLength
    /// The bytes of the present part that have arrived, and how many are still missing.
    private var held: [UInt8] = []
    private var missing = lengthBytes
    /// Whether the present part is short enough to be held.
    private var isHeld = true
    private var fieldsLeft = 0
    /// How many bytes of fields may still be kept.
    private var room = maximumLength

    private static let lengthBytes = 4
    private static let maximumFields = 1024
    private static let maximumFieldLength = 64 << 10
    private static let maximumLength = 1 << 20

    mutating func take(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while part != .end {
            let piece = rest.prefix(missing)
            if isHeld { held.append(contentsOf: piece) }
            missing -= piece.count
            rest = rest.dropFirst(piece.count)
            guard missing == 0 else { return }
            endPart()
        }
    }

    private mutating func endPart() {
        switch part {
        case .vendorLength:
            begin(.vendor, length)
        case .vendor:
            comments.vendor = String(decoding: held, as: UTF8.self)
            begin(.count, Self.lengthBytes)
        case .count:
            fieldsLeft = min(length, Self.maximumFields)
            beginField()
        case .fieldLength:
            begin(.field, length)
        case .field:
            room -= held.count
            comments.add(field: held[...])
            beginField()
        case .end: break
        }
    }

    private mutating func beginField() {
        fieldsLeft -= 1
        begin(fieldsLeft < 0 ? .end : .fieldLength, Self.lengthBytes)
    }

    private mutating func begin(_ part: Part, _ length: Int) {
        self.part = part
        held.removeAll(keepingCapacity: true)
        missing = length
        isHeld = length <= min(room, Self.maximumFieldLength)
    }

    private var length: Int { held.reversed().reduce(0) { $0 << 8 | Int($1) } }
}
