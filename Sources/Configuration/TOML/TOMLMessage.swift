// SPDX-License-Identifier: MIT

import RadioFormats

/// Turns the parser's words for a syntax error into words for people.
enum TOMLMessage {
    private static let longest = 200
    private static let prefix = "Error while parsing "

    /// The words as one short line. They may quote a few characters of the document; words that quote what may be an
    /// address with a password are replaced.
    static func words(_ message: String) -> String {
        let plain = String(message.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "?" : Character($0) })
        guard !plain.isEmpty, !SafeText.mayHoldSecret(plain) else { return "this is not valid TOML" }
        guard plain.hasPrefix(prefix), let colon = plain.firstIndex(of: ":") else {
            return "this is not valid TOML: \(plain.cut(toBytes: longest))"
        }
        let place = plain[..<colon].dropFirst(prefix.count)
        let rest = plain[plain.index(after: colon)...].drop { $0 == " " }
        return "this is not valid TOML (\(place)): \(rest)".cut(toBytes: longest)
    }
}
