// SPDX-License-Identifier: MIT

/// A character set that a station or a document may use: those that browsers know (WHATWG Encoding Standard), and the
/// remaining parts of ISO 8859.
package enum Charset: String, Hashable, Sendable, CaseIterable {
    case utf8 = "utf-8"
    case latin1 = "iso-8859-1"
    case iso8859Part2 = "iso-8859-2"
    case iso8859Part3 = "iso-8859-3"
    case iso8859Part4 = "iso-8859-4"
    case iso8859Part5 = "iso-8859-5"
    case iso8859Part6 = "iso-8859-6"
    case iso8859Part7 = "iso-8859-7"
    case iso8859Part8 = "iso-8859-8"
    case iso8859Part9 = "iso-8859-9"
    case iso8859Part10 = "iso-8859-10"
    case iso8859Part11 = "iso-8859-11"
    case iso8859Part13 = "iso-8859-13"
    case iso8859Part14 = "iso-8859-14"
    case iso8859Part15 = "iso-8859-15"
    case iso8859Part16 = "iso-8859-16"
    case windows874 = "windows-874"
    case windows1250 = "windows-1250"
    case windows1251 = "windows-1251"
    case windows1252 = "windows-1252"
    case windows1253 = "windows-1253"
    case windows1254 = "windows-1254"
    case windows1255 = "windows-1255"
    case windows1256 = "windows-1256"
    case windows1257 = "windows-1257"
    case windows1258 = "windows-1258"
    case koi8R = "koi8-r"
    case koi8U = "koi8-u"
    case ibm866
    case macintosh
    case shiftJIS = "shift_jis"
    case eucJP = "euc-jp"
    case iso2022JP = "iso-2022-jp"
    case gbk
    case gb18030
    case big5
    case eucKR = "euc-kr"

    /// Finds a charset by its name or a usual alias (`latin1`, `cp1251`, `ISO_8859-2`); nil if the name is unknown.
    package init?(name: String) {
        let plain = Self.plain(name)
        guard let found = Self.allCases.first(where: { $0.plainNames.contains(plain) }) else { return nil }
        self = found
    }

    /// The name by which iconv finds the charset, or a superset of it that is used under the same name.
    package var systemName: String {
        switch self {
        case .windows874: "CP874"
        case .shiftJIS: "CP932"
        case .gbk: "GB18030"
        case .big5: "BIG5-HKSCS"
        case .eucKR: "CP949"
        default: rawValue
        }
    }

    /// Whether other bytes than those of ASCII's characters stand for them, so that text is never valid UTF-8 by
    /// accident only: every text of this charset is.
    var hidesInASCII: Bool { self == .iso2022JP }

    private var plainNames: [String] {
        let own = Self.plain(rawValue)
        return switch self {
        case .latin1: [own, "latin1", "l1"]
        case .iso8859Part2: [own, "latin2", "l2"]
        case .iso8859Part3: [own, "latin3", "l3"]
        case .iso8859Part4: [own, "latin4", "l4"]
        case .iso8859Part5: [own, "cyrillic"]
        case .iso8859Part6: [own, "arabic"]
        case .iso8859Part7: [own, "greek"]
        case .iso8859Part8: [own, "hebrew", "iso88598i"]
        case .iso8859Part9: [own, "latin5", "l5"]
        case .iso8859Part10: [own, "latin6", "l6"]
        case .iso8859Part13: [own, "latin7", "l7"]
        case .iso8859Part15: [own, "latin9", "l9"]
        case .windows874: [own, "cp874", "win874", "tis620", "dos874"]
        case .windows1250, .windows1251, .windows1252, .windows1253, .windows1254, .windows1255, .windows1256,
            .windows1257, .windows1258:
            [own, own.replacingPrefix("windows", with: "cp"), own.replacingPrefix("windows", with: "win")]
        case .koi8R: [own, "koi8"]
        case .ibm866: [own, "cp866", "866", "dos866"]
        case .macintosh: [own, "macroman", "mac"]
        case .shiftJIS: [own, "sjis", "xsjis", "mskanji", "cp932", "ms932", "windows31j"]
        case .eucJP: [own, "xeucjp", "ujis"]
        case .gbk: [own, "gb2312", "gb231280", "cp936", "ms936", "euccn", "chinese"]
        case .big5: [own, "big5hkscs", "cp950", "cnbig5"]
        case .eucKR: [own, "cp949", "ms949", "uhc", "windows949", "ksc5601", "ksc56011987", "korean"]
        case .utf8, .iso8859Part11, .iso8859Part14, .iso8859Part16, .koi8U, .iso2022JP, .gb18030: [own]
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
