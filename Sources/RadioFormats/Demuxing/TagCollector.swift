// SPDX-License-Identifier: MIT

/// Collects an ID3v2 tag whose bytes arrive in pieces.
struct TagCollector {
    /// Of a longer tag, only this beginning is held.
    static let longest = 256 << 10

    enum Answer {
        /// All bytes are taken, and the tag is not complete yet.
        case incomplete
        /// ``held`` is a tag.
        case tag
        /// ``held`` does not begin a tag.
        case none
    }

    private static let mark = Array("ID3".utf8)

    private(set) var held: [UInt8] = []
    /// How many bytes of the tag have not arrived yet; nil while its head is incomplete.
    private var missing: Int?

    /// Takes the bytes that belong to a tag from the front of `bytes`.
    mutating func take(from bytes: inout UnsafeRawBufferPointer) -> Answer {
        if missing == nil {
            move(ID3v2Header.length - held.count, from: &bytes)
            guard zip(held, Self.mark).allSatisfy({ $0 == $1 }) else { return .none }
            guard held.count == ID3v2Header.length else { return .incomplete }
            guard let header = ID3v2Header(held) else { return .none }
            missing = header.tagLength - held.count
        }
        guard let left = missing else { return .incomplete }
        let arrived = min(left, bytes.count)
        missing = left - arrived
        let kept = min(arrived, Self.longest - held.count)
        let rest = UnsafeRawBufferPointer(rebasing: bytes[arrived...])
        move(kept, from: &bytes)
        bytes = rest
        return missing == 0 ? .tag : .incomplete
    }

    mutating func clear() { (held, missing) = ([], nil) }

    private mutating func move(_ count: Int, from bytes: inout UnsafeRawBufferPointer) {
        let part = bytes.prefix(count)
        held.append(contentsOf: part)
        bytes = UnsafeRawBufferPointer(rebasing: bytes[part.count...])
    }
}
