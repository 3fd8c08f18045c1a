// SPDX-License-Identifier: MIT

import RadioFormats

/// A name and password from an `Authorization: Basic` field (RFC 7617), parsed strictly.
struct BasicCredentials {
    let name: String
    let password: [UInt8]

    /// The maximum length of the field's value: more than the longest name and password need.
    private static let longestField = 1024

    /// Returns nil if the field is missing, malformed, or present more than once.
    init?(_ head: HTTPRequestHead) {
        let fields = head.fields.filter { $0.name == "authorization" }
        guard fields.count == 1, let value = fields.first?.value.utf8, value.count <= Self.longestField else {
            return nil
        }
        let parts = value.split(separator: UInt8(ascii: " "), maxSplits: 1)
        guard parts.count == 2, String(decoding: parts[0], as: UTF8.self).lowercased() == "basic",
            let bytes = Base64.decode(parts[1].drop { $0 == UInt8(ascii: " ") }),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            !bytes.contains(where: { $0 < 0x20 || $0 == 0x7f }),
            let name = String(validating: bytes[..<colon], as: UTF8.self),
            bytes.count - colon - 1 <= PasswordHash.longestPassword
        else { return nil }
        self.name = name
        password = Array(bytes[(colon + 1)...])
    }
}
