// SPDX-License-Identifier: MIT

import Glibc
import RadioFormats

/// The `file:` URI of a local file (RFC 8089).
enum FileURI {
    /// The URI for a path; a relative path is resolved against `folder`.
    static func text(ofPath path: String, in folder: String = workingFolder) -> String {
        let absolute = path.hasPrefix("/") ? path : folder + "/" + path
        let parts = absolute.split(separator: "/").filter { $0 != "." }
        return "file:///" + parts.map { encoded($0) }.joined(separator: "/")
    }

    private static func encoded(_ name: Substring) -> String {
        PathText.bytes(of: String(name)).reduce(into: "") { text, byte in
            text += isPlain(byte) ? String(UnicodeScalar(byte)) : "%" + hexadecimal(byte)
        }
    }

    /// Whether the byte is unreserved and needs no encoding.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~".utf8.contains(byte)
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "0" + digits : digits
    }

    private static var workingFolder: String {
        guard let path = getcwd(nil, 0) else { return "" }
        defer { free(path) }
        return String(path: path)
    }
}
