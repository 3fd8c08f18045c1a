// SPDX-License-Identifier: MIT

import Glibc
import RadioFormats

/// The `file:` URI of a local file (RFC 8089).
enum FileURI {
    /// The URI for a path; a relative path is resolved against `folder`.
    static func text(ofPath path: String, in folder: String = workingFolder) -> String {
        let absolute = path.hasPrefix("/") ? path : folder + "/" + path
        let parts = absolute.split(separator: "/").filter { $0 != "." }
        return "file:///" + parts.map { encoded($0) }.joined(separator: "/")
    }

    private static func encoded(_ name: Substring) -> String {
        PercentEncoding.encoded(PathText.bytes(of: String(name)), isPlain: PercentEncoding.isUnreserved)
    }

    private static var workingFolder: String {
        guard let path = getcwd(nil, 0) else { return "" }
        defer { free(path) }
        return String(path: path)
    }
}
