// SPDX-License-Identifier: MIT

// The kinds of ASCII characters that numbers, names and addresses consist of. Inlined, because parsers ask for each
// byte.
extension UInt8 {
    /// Whether the byte is one of `0` to `9`.
    @inlinable package var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    /// Whether the byte is one of `a` to `z` or `A` to `Z`.
    @inlinable package var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }

    /// Whether the byte is one of `A` to `Z`.
    @inlinable package var isUppercase: Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self }

    /// The letter in lower case; any other byte unchanged.
    @inlinable package var lowercased: UInt8 { isUppercase ? self | 0x20 : self }

    /// Whether a token, such as the name of a header field, may contain the byte (RFC 9110 §5.6.2).
    @inlinable package var isOfToken: Bool { isLetter || isDigit || "!#$%&'*+-.^_`|~".utf8.contains(self) }

    /// The value of a hexadecimal digit; nil for any other byte.
    package var hexadecimal: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
            (self | 0x20) - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

extension UInt64 {
    /// The number as 16 hexadecimal digits.
    package var sixteenDigits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
