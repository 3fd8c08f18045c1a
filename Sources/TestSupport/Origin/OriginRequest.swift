// SPDX-License-Identifier: MIT

/// A request that a ``ScriptedOrigin`` received.
package struct OriginRequest: Sendable {
    /// The text of the head, including the empty line.
    package let head: String
    /// The body, up to 1 MiB.
    package internal(set) var body: [UInt8] = []

    /// The first word of the request line.
    package var method: String { words.first ?? "" }
    /// The second word of the request line: path and query.
    package var target: String { words.count > 1 ? words[1] : "" }
    /// The target without its query.
    package var path: String { String(target.prefix { $0 != "?" }) }

    /// The value of the first header called `name`, ignoring case; nil if there is none.
    package func header(_ name: String) -> String? {
        for line in head.split(separator: "\r\n").dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { continue }
            return String(parts[1].drop { $0 == " " })
        }
        return nil
    }

    private var words: [String] {
        head.prefix { $0 != "\r\n" }.split(separator: " ").map(String.init)
    }
}
