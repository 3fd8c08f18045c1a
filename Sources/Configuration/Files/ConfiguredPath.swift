// SPDX-License-Identifier: MIT

import RadioFormats

/// Paths as they are written in a configuration file.
enum ConfiguredPath {
    /// Why a text is not a path. The description addresses the person who typed it.
    enum ParseError: SafelyWorded, Hashable, Sendable, CustomStringConvertible {
        case empty
        case tooLong
        case control
        case home
        case address

        var description: String {
            switch self {
            case .empty: "a path is missing"
            case .tooLong: "the path is longer than \(ConfiguredPath.longest) bytes"
            case .control: "a path must not contain control characters"
            case .home: "~ does not stand for a home folder here; write the whole path, beginning with /"
            case .address: "it must be a path on this machine, not an address"
            }
        }
    }

    static let longest = 4000

    /// The absolute path of `text`, which is relative to `folder` unless it begins with a slash. Empty parts and single
    /// dots are removed; the path need not exist.
    static func parse(_ text: String, in folder: String) throws(ParseError) -> String {
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= longest else { throw .tooLong }
        guard !text.unicodeScalars.contains(where: SafeText.isControl) else { throw .control }
        // An address taken for a relative path would lose a slash, and would then not be recognised as an address.
        guard !AddressText(text).isAddress else { throw .address }
        guard text != "~", !text.hasPrefix("~/") else { throw .home }
        return plain(text.hasPrefix("/") ? text : "\(folder)/\(text)")
    }

    /// The folder of an absolute path.
    static func folder(of path: String) -> String {
        let parts = path.split(separator: "/").dropLast()
        return plain("/" + parts.joined(separator: "/"))
    }

    private static func plain(_ path: String) -> String {
        "/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }
}
