// SPDX-License-Identifier: MIT

/// The maximum cost of a metadata block, and blocks that try to exceed it.
package enum ICYCost {
    /// The maximum cost, in reads per byte.
    package static let most = 16.0

    /// Texts that are repeated to fill a block.
    package static let patterns = [
        ";", "';", "';a", ";a", ";StreamUr", "'; ", " ", ";=", "a=", "a=;", "a='';", "a='", "'", "\"", "\";", "='",
        "';a=",
        ";StreamUrl", "StreamUrl=", ";aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "';aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "=\"",
        "';;", "x",
        "='\u{feff}",
    ]

    /// A block of maximum length, whose title repeats a pattern.
    package static func block(of pattern: String) -> [UInt8] {
        let text =
            Array("StreamTitle='".utf8) + Array(String(repeating: pattern, count: 4_080 / pattern.utf8.count).utf8)
        return Array((text + [UInt8](repeating: 0x3b, count: 4_080)).prefix(4_080))
    }
}
