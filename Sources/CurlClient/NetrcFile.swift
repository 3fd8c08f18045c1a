// SPDX-License-Identifier: MIT

/// A file with user names and passwords for hosts (netrc(5)), and the names of these hosts.
///
/// curl reads the passwords itself, for each connection. Here, only the names of the hosts are kept.
package struct NetrcFile: Hashable, Sendable {
    package let path: String
    private let hosts: Set<String>
    /// Whether the file has an entry for all other hosts.
    private let hasDefault: Bool

    /// `text`: the content of the file. A word in a macro or a comment that only looks like the name of a host is
    /// counted as a host, too.
    package init(path: String, text: String) {
        self.path = path
        let words = text.split(whereSeparator: \.isWhitespace)
        hosts = Set(zip(words, words.dropFirst()).compactMap { $0 == "machine" ? $1.lowercased() : nil })
        hasDefault = words.contains("default")
    }

    /// Whether a request to the host of this URL may carry a password from the file.
    package func mayName(hostOf url: String) -> Bool {
        hasDefault || CurlLibrary.host(of: url).map { hosts.contains($0.filter { !"[]".contains($0) }) } ?? false
    }
}
