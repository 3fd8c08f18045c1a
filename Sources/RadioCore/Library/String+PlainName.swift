// SPDX-License-Identifier: MIT

extension String {
    /// Whether it names something in a folder: it leads neither out of there nor further down.
    package var isPlainName: Bool {
        !isEmpty && self != "." && self != ".." && !utf8.contains { $0 == 0x2F || $0 == 0 }
    }
}
