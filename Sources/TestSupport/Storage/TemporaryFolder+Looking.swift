// SPDX-License-Identifier: MIT

extension TemporaryFolder {
    /// The names of what is directly in it, or in a folder of it, sorted; none where that does not exist.
    package func names(in folder: String = "") -> [String] {
        let prefix = folder.isEmpty ? "" : folder + "/"
        let all = (try? contents()) ?? []
        return all.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }.filter {
            !$0.contains("/")
        }
    }

    /// The bytes of a file inside; nil where there is none.
    package func content(of name: String) -> [UInt8]? {
        try? read(name)
    }
}
