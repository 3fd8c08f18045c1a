// SPDX-License-Identifier: MIT

package import RadioCore

extension Mount {
    /// More than any path that people mean.
    private static let longestPath = 200

    /// Reads the path of a mount, with or without its first slash: routes, playlists and extensions can be made of it.
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
        guard !StatusPages.paths.contains(path) else {
            throw SettingFault(.mount, "\(path) is the address of the status page", remedy: "choose another path")
        }
        return path
    }

    /// The path of a mount whose station has this name: letters and digits of ASCII as they are, but small, and a hyphen
    /// for whatever lies between them.
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
