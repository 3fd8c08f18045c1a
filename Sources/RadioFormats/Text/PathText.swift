// SPDX-License-Identifier: MIT

/// The text form of a path, whose bytes need not be UTF-8.
///
/// Paths are strings of this form throughout the program, and in JSON. A byte that belongs to no UTF-8 is the private
/// character U+10FE00 plus the byte, as are the bytes of such a character that is in a path itself. So each path has
/// one text, and its text leads back to its bytes.
package enum PathText {
    /// The characters that stand for bytes from 0x80 to 0xFF.
    private static let rawBytes: ClosedRange<UInt32> = 0x10FE80...0x10FEFF
    /// What sidecars and reports say if they contain such characters.
    package static let note = "U+10FE00 + byte"

    /// The text of a path.
    package static func text(of bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self), !hasRawBytes(text) { return text }
        return MixedText.decode(bytes, isText: { !hasRawBytes($0) }, raw: scalar)
    }

    /// The bytes of a path, without a zero at the end.
    package static func bytes(of text: String) -> [UInt8] {
        guard hasRawBytes(text) else { return Array(text.utf8) }
        return text.unicodeScalars.flatMap { scalar -> [UInt8] in
            rawBytes.contains(scalar.value) ? [UInt8(scalar.value & 0xFF)] : Array(String(scalar).utf8)
        }
    }

    /// Whether the text stands for a path that is not UTF-8.
    package static func hasRawBytes(_ text: String) -> Bool {
        // The first byte of these characters is rare.
        text.utf8.contains(0xF4) && text.unicodeScalars.contains { rawBytes.contains($0.value) }
    }

    /// Another text for each character that stands for a byte.
    package static func replacingRawBytes(in text: String, _ replacement: (UInt8) -> String) -> String {
        guard hasRawBytes(text) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            if rawBytes.contains(scalar.value) {
                result += replacement(UInt8(scalar.value & 0xFF))
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }

    /// The text for people: a byte is `\xFC`.
    package static func shown(_ text: String) -> String {
        replacingRawBytes(in: text) { "\\x" + String($0, radix: 16, uppercase: true) }
    }

    /// Text of others, in which nothing may stand for a byte of a path.
    package static func withoutRawBytes(_ text: String) -> String {
        replacingRawBytes(in: text) { _ in "\u{FFFD}" }
    }

    private static func scalar(for byte: UInt8) -> Unicode.Scalar {
        // All bytes below 0x80 are characters by themselves.
        Unicode.Scalar(rawBytes.lowerBound - 0x80 + UInt32(byte)) ?? "\u{FFFD}"
    }
}

extension String {
    /// The bytes of a path for system calls, terminated by a zero (``PathText``).
    package var pathBytes: [CChar] { PathText.bytes(of: self).map { CChar(bitPattern: $0) } + [0] }

    /// The text of a path that a system call has returned, terminated by a zero (``PathText``).
    package init(path bytes: UnsafePointer<CChar>) {
        var length = 0
        while bytes[length] != 0 { length += 1 }
        self = PathText.text(of: UnsafeBufferPointer(start: bytes, count: length).map { UInt8(bitPattern: $0) })
    }
}

extension JSONObject {
    /// Adds how bytes of paths are written, if any of the paths in the object has such bytes.
    package mutating func noteRawBytes(of paths: [String?]) {
        if paths.contains(where: { $0.map(PathText.hasRawBytes) ?? false }) {
            append("raw_bytes", PathText.note)
        }
    }
}
