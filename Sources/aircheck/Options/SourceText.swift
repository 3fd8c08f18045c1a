// SPDX-License-Identifier: MIT

import Glibc
import RadioFormats

/// A source as people type it where an address or a file is meant.
enum SourceText {
    /// The source, with `http://` added if it is an address without a scheme. The path of an existing file or folder,
    /// and a path in an existing folder, are returned unchanged.
    static func completed(_ text: String) -> String {
        if exists(text) { return text }
        if let slash = text.firstIndex(of: "/"), exists(String(text[..<slash])) { return text }
        return AddressText(text).withScheme
    }

    private static func exists(_ path: String) -> Bool { access(path.pathBytes, F_OK) == 0 }
}
