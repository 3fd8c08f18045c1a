// SPDX-License-Identifier: MIT

/// An attribute list (RFC 8216 §4.2): `NAME=VALUE,NAME="VALUE"`. Blanks around names and values are accepted.
struct HLSAttributes {
    private static let most = 64

    /// The attributes in their order; values without quotes.
    private(set) var pairs: [(name: String, value: String)] = []

    init(_ text: some IndexedBytes) {
        let (comma, quote) = (UInt8(ascii: ","), UInt8(ascii: "\""))
        var rest = text[...]
        while !rest.isEmpty, pairs.count < Self.most {
            let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != comma }
            rest = rest[name.endIndex...]
            let hasValue = rest.first == UInt8(ascii: "=")
            rest = rest.dropFirst()
            guard hasValue else { continue }
            rest = rest.drop { $0 == 0x20 }
            let isQuoted = rest.first == quote
            if isQuoted { rest = rest.dropFirst() }
            let value = rest.prefix { isQuoted ? $0 != quote : $0 != comma }
            pairs.append((Self.text(name), isQuoted ? String(decoding: value, as: UTF8.self) : Self.text(value)))
            // Some writers forget the comma behind a quote.
            rest = rest[value.endIndex...].dropFirst().drop { $0 == comma || $0 == 0x20 }
        }
    }

    /// The value of the first attribute with this name.
    subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    private static func text(_ bytes: some IndexedBytes) -> String {
        String(decoding: bytes.trimmed { $0 <= 0x20 }, as: UTF8.self)
    }
}

/// Numbers as HLS playlists write them.
enum HLSNumber {
    private static let longest = 32
    /// A segment or target that claims to be longer is taken to be this long.
    private static let mostSeconds = 86_400.0
    /// No sum of such a number and an index exceeds 64 bits.
    private static let greatest: Int64 = 1 << 62

    /// A duration in seconds, which is not negative; nil if the text states none.
    static func seconds(_ text: some StringProtocol) -> Duration? {
        guard text.utf8.count <= longest, let value = Double(text), value >= 0 else { return nil }
        return .nanoseconds(Int64((min(value, mostSeconds) * 1e9).rounded()))
    }

    static func integer(_ text: some StringProtocol) -> Int64? {
        guard text.utf8.count <= longest, let value = Int64(text), abs(value / 2) < greatest / 2 else { return nil }
        return value
    }
}
