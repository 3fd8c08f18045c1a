// SPDX-License-Identifier: MIT

/// A fault at one place of a configuration file, and how to correct it. It never contains passwords.
package struct ConfigurationFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line within the file. Lines and columns are counted from 1.
    package var line: Int
    package var column: Int
    /// The key with its tables; entries of lists are counted from 1: `station[2].show[1].start`. Empty for the file as
    /// a whole.
    package var key: String
    /// What is wrong.
    package var problem: String
    /// What to write instead; nil if ``problem`` already says so.
    package var remedy: String?

    package init(at position: TOMLPosition, key: String, problem: String, remedy: String? = nil) {
        line = position.line
        column = position.column
        self.key = key
        self.problem = problem
        self.remedy = remedy
    }

    private var words: String { (key.isEmpty ? "" : "\(key): ") + problem + (remedy.map { "; \($0)" } ?? "") }

    /// `line 12, station[2].url: the problem; the remedy`.
    package var description: String { "line \(line)\(key.isEmpty ? ":" : ",") \(words)" }

    /// `FILE:12: station[2].url: the problem; the remedy`.
    package func line(in path: String) -> String { "\(path):\(line): \(words)" }
}

/// Why there is no configuration.
package enum ConfigurationError: Error, Hashable, Sendable {
    /// The file cannot be read.
    case unreadable(FileFault)
    /// All faults of the file, ordered by line: at least one, and at most ``FaultList/most``.
    case invalid([ConfigurationFault])
}
