// SPDX-License-Identifier: MIT

extension ID3v2Tag {
    /// Encodes the tag as version 2.4, UTF-8, without unsynchronisation (UTF-8 has no byte that looks like a sync
    /// word), padded with zeros to exactly `size` bytes.
    ///
    /// Frames are written in order. A frame that does not fit is cut at a character, and left out if not even a
    /// character fits. Frames with an impossible name are left out. NUL, which ends a text in a tag, is left out of
    /// texts.
    ///
    /// - Parameter size: bytes of the whole tag, at least 10 and at most 2²⁸.
    /// - Returns: the whole tag, ready to stand before the first frame.
    package func encoded(size: Int) -> [UInt8] {
        precondition(ID3v2Header.length...(1 << 28) ~= size, "an ID3v2 tag of \(size) bytes")
        var output: [UInt8] = [0x49, 0x44, 0x33, 4, 0, 0]
        output.reserveCapacity(size)
        output.appendSynchsafe(size - ID3v2Header.length)
        for frame in frames { frame.write(to: &output, room: size - output.count) }
        output.append(contentsOf: repeatElement(0, count: size - output.count))
        return output
    }
}

extension ID3v2Frame {
    private static let headLength = 10

    fileprivate func write(to output: inout [UInt8], room: Int) {
        guard id.utf8.count == 4, id.utf8.allSatisfy(\.isFrameNameByte) else { return }
        let head = contentHead
        let text = String(decoding: value.utf8WithoutNUL, as: UTF8.self)
        let shown = Array(text.cut(toBytes: room - Self.headLength - head.count).utf8)
        guard !shown.isEmpty else { return }
        output.append(contentsOf: id.utf8)
        output.appendSynchsafe(head.count + shown.count)
        output.append(contentsOf: [0, 0])
        output.append(contentsOf: head)
        output.append(contentsOf: shown)
    }

    /// The bytes between the frame's head and its text.
    private var contentHead: [UInt8] {
        let encoding = [ID3TextEncoding.utf8.rawValue]
        switch self {
        case .text: return encoding
        case .userText(let description, _): return encoding + description.utf8WithoutNUL + [0]
        case .comment(let language, let description, _):
            let isCode = language.utf8.count == 3 && language.utf8.allSatisfy { 0x20..<0x7F ~= $0 }
            return encoding + (isCode ? language : "und").utf8 + description.utf8WithoutNUL + [0]
        case .link: return []
        }
    }
}

extension UInt8 {
    /// Whether the byte is one of `A` to `Z` or `0` to `9`.
    var isFrameNameByte: Bool { isUppercase || isDigit }
}

extension String {
    fileprivate var utf8WithoutNUL: [UInt8] { utf8.filter { $0 != 0 } }
}

extension [UInt8] {
    fileprivate mutating func appendSynchsafe(_ value: Int) {
        for shift in [21, 14, 7, 0] { append(UInt8(truncatingIfNeeded: (value >> shift) & 0x7F)) }
    }
}
