// SPDX-License-Identifier: MIT

import Glibc
import RadioCore
import RadioFormats

/// A source as people type it where an address or a file is meant.
enum SourceText {
    /// The source, with `http://` if that is what it lacks. A file or folder that exists comes first, and so does a
    /// path in an existing folder.
    static func completed(_ text: String) -> String {
        if exists(text) { return text }
        if let slash = text.firstIndex(of: "/"), exists(String(text[..<slash])) { return text }
        return AddressText(text).withScheme
    }

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
