// SPDX-License-Identifier: MIT

extension TemporaryFolder {
    /// The names of the direct entries of this folder or of a subfolder, sorted; empty if the subfolder does not exist.
    package func names(in folder: String = "") -> [String] {
        let prefix = folder.isEmpty ? "" : folder + "/"
        let all = (try? contents()) ?? []
        return all.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }.filter {
            !$0.contains("/")
        }
    }

    /// The bytes of a file in the folder; nil if it cannot be read.
    package func content(of name: String) -> [UInt8]? {
        try? read(name)
    }
}
