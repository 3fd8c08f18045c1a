// SPDX-License-Identifier: MIT

/// The encoding of a frame's texts; the raw value is the number that the frame begins with.
enum ID3TextEncoding: UInt8 {
    case latin1 = 0
    /// UTF-16 with a byte order mark. If the mark is missing, little-endian is assumed, which is likelier.
    case utf16 = 1
    case utf16BigEndian = 2
    case utf8 = 3

    /// The texts between NULs: at least one, at most `limit`; further texts are left out. A NUL at the very end is a
    /// terminator and begins no further text.
    func strings(in bytes: ArraySlice<UInt8>, limit: Int = 64) -> [String] {
        var strings: [String] = []
        var rest = bytes
        repeat {
            let end = terminator(in: rest)
            strings.append(string(rest[..<end]))
            rest = rest[end...].dropFirst(width)
        } while !rest.isEmpty && strings.count < limit
        return strings
    }

    /// The text up to the first NUL, and what follows that.
    func first(in bytes: ArraySlice<UInt8>) -> (text: String, rest: ArraySlice<UInt8>) {
        let end = terminator(in: bytes)
        return (string(bytes[..<end]), bytes[end...].dropFirst(width))
    }

    private var width: Int {
        switch self {
        case .latin1, .utf8: 1
        case .utf16, .utf16BigEndian: 2
        }
    }

    private func terminator(in bytes: ArraySlice<UInt8>) -> Int {
        guard width == 2 else { return bytes.firstIndex(of: 0) ?? bytes.endIndex }
        var index = bytes.startIndex
        while index + 1 < bytes.endIndex {
            if bytes[index] == 0, bytes[index + 1] == 0 { return index }
            index += 2
        }
        return bytes.endIndex
    }

    private func string(_ bytes: ArraySlice<UInt8>) -> String {
        switch self {
        case .utf8:
            return String(decoding: bytes, as: UTF8.self)
        case .latin1:
            // Much UTF-8 is labelled Latin-1, and bytes that are valid UTF-8 are hardly ever anything else.
            if let text = String(validating: bytes, as: UTF8.self) { return text }
            return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        case .utf16, .utf16BigEndian:
            let (bytes, assumed) = (Array(bytes), CharsetDecoder.byteOrderMarks[self == .utf16BigEndian ? 0 : 1])
            return CharsetDecoder.utf16(bytes) ?? CharsetDecoder.utf16(assumed + bytes) ?? ""
        }
    }
}
