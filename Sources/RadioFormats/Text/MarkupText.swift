// SPDX-License-Identifier: MIT

/// Quotes text for HTML and XML.
package enum MarkupText {
    /// Replaces the characters that end text or an attribute's value with character references. Control characters, of
    /// which XML allows few, become spaces.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\u{0}"..."\u{1F}", "\u{7F}", "\u{FFFE}", "\u{FFFF}": result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
