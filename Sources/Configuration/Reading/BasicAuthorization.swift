// SPDX-License-Identifier: MIT

/// Makes the value of an `Authorization` field with name and password (RFC 7617).
enum BasicAuthorization {
    static func value(user: String, password: [UInt8]) -> String {
        "Basic " + base64(Array(user.utf8) + [UInt8(ascii: ":")] + password)
    }

    /// Encodes bytes as Base64 (RFC 4648, section 4).
    private static func base64(_ bytes: [UInt8]) -> String {
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                let index = Int(bits >> UInt32(18 - 6 * place) & 0x3F)
                text.append(place <= group.count ? digits[index] : "=")
            }
        }
        return text
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}
