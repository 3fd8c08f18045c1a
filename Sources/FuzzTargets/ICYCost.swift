// SPDX-License-Identifier: MIT

/// What a metadata block may cost, and blocks that try to cost more.
package enum ICYCost {
    /// Looks at each byte.
    package static let most = 16.0

    /// What is repeated to fill a block.
    package static let patterns = [
        ";", "';", "';a", ";a", ";StreamUr", "'; ", " ", ";=", "a=", "a=;", "a='';", "a='", "'", "\"", "\";", "='",
        "';a=",
        ";StreamUrl", "StreamUrl=", ";aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "';aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "=\"",
        "';;", "x",
        "='\u{feff}",
    ]

    /// A title that is a pattern repeated, in a block as long as one can be.
    package static func block(of pattern: String) -> [UInt8] {
        let text =
            Array("StreamTitle='".utf8) + Array(String(repeating: pattern, count: 4_080 / pattern.utf8.count).utf8)
        return Array((text + [UInt8](repeating: 0x3b, count: 4_080)).prefix(4_080))
    }
}
