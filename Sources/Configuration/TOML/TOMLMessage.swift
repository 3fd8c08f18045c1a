// SPDX-License-Identifier: MIT

import RadioFormats

/// Rewords the parser's syntax errors for people.
enum TOMLMessage {
    private static let longest = 200
    private static let prefix = "Error while parsing "

    /// The message as one short line. It may quote a few characters of the document. If the quoted text may be an
    /// address with a password, the whole message is replaced.
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
