// SPDX-License-Identifier: MIT

package import RadioCore

extension Mount {
    /// The limit for the bytes of a path, longer than any sensible path.
    private static let longestPath = 200

    /// Parses a mount's path; the first slash is optional. The result can be used in routes, playlists and extensions.
    package static func path(parsing text: String) throws(SettingFault) -> String {
        let path = text.hasPrefix("/") ? text : "/" + text
        let isPlain = path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: "/-_.~".utf8.contains(byte)
            }
        }
        guard isPlain, path.utf8.count > 1, path.utf8.count <= longestPath, !path.hasSuffix("/"), !path.contains("//"),
            !path.split(separator: "/").contains(where: { $0 == ".." || $0 == "." })
        else {
            throw SettingFault(
                .mount, "'\(text)' cannot be a path here",
                remedy: "use letters, digits, and - _ . ~ such as /live or /radio/fip")
        }
        guard !(StatusPages.paths + FrontPage.paths).contains(path) else {
            throw SettingFault(.mount, "\(path) is the address of a page", remedy: "choose another path")
        }
        return path
    }

    /// The path for a mount whose station has this name: ASCII letters and digits, in lower case, with a hyphen for
    /// each run of other characters.
    package static func path(named name: String) -> String {
        let words = name.lowercased().utf8.split { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): false
            default: true
            }
        }
        let slug = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
        return "/" + (slug.isEmpty ? "station" : slug)
    }
}
