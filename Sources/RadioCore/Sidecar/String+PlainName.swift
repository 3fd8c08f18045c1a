// SPDX-License-Identifier: MIT

extension String {
    /// Whether the string names an entry of a folder: it leads neither out of the folder nor further down.
    package var isPlainName: Bool {
        !isEmpty && self != "." && self != ".." && !utf8.contains { $0 == 0x2F || $0 == 0 }
    }
}
