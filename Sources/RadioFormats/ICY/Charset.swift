// SPDX-License-Identifier: MIT

/// A character set that a station may use for its titles without declaring it.
package enum Charset: String, Hashable, Sendable, CaseIterable {
    case utf8 = "utf-8"
    case latin1 = "iso-8859-1"
    case iso8859Part2 = "iso-8859-2"
    case iso8859Part5 = "iso-8859-5"
    case iso8859Part7 = "iso-8859-7"
    case iso8859Part9 = "iso-8859-9"
    case iso8859Part15 = "iso-8859-15"
    case windows1250 = "windows-1250"
    case windows1251 = "windows-1251"
    case windows1252 = "windows-1252"
    case windows1253 = "windows-1253"
    case windows1254 = "windows-1254"
    case koi8R = "koi8-r"
    case koi8U = "koi8-u"

    /// Finds a charset by its name or a usual alias (`latin1`, `cp1251`, `ISO_8859-2`); nil if the name is unknown.
    package init?(name: String) {
        let plain = Self.plain(name)
        guard let found = Self.allCases.first(where: { $0.plainNames.contains(plain) }) else { return nil }
        self = found
    }

    /// Decodes any bytes; U+FFFD stands for bytes without a character.
    package func decode(_ bytes: some Sequence<UInt8>) -> String {
        guard self != .utf8 else { return String(decoding: Array(bytes), as: UTF8.self) }
        let upper = Array(upperHalf.unicodeScalars)
        let first = 0x100 - upper.count
        var text = String.UnicodeScalarView()
        for byte in bytes {
            text.append(Int(byte) < first ? Unicode.Scalar(byte) : upper[Int(byte) - first])
        }
        return String(text)
    }

    private var plainNames: [String] {
        let own = Self.plain(rawValue)
        return switch self {
        case .latin1: [own, "latin1", "l1"]
        case .iso8859Part2: [own, "latin2", "l2"]
        case .iso8859Part5: [own, "cyrillic"]
        case .iso8859Part7: [own, "greek"]
        case .iso8859Part9: [own, "latin5", "l5"]
        case .iso8859Part15: [own, "latin9", "l9"]
        case .windows1250, .windows1251, .windows1252, .windows1253, .windows1254:
            [own, own.replacingPrefix("windows", with: "cp"), own.replacingPrefix("windows", with: "win")]
        case .koi8R: [own, "koi8"]
        case .utf8, .koi8U: [own]
        }
    }

    /// The letters and digits of a name in lower case, which are enough to tell charsets apart.
    private static func plain(_ name: String) -> String {
        name.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}

extension String {
    fileprivate func replacingPrefix(_ prefix: String, with other: String) -> String {
        hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
    }
}
