// SPDX-License-Identifier: MIT

package import RadioCore
import RadioFormats

extension Mount {
    /// The limit for the bytes of a path, longer than any sensible path.
    private static let longestPath = 200

    /// Parses a mount's path; the first slash is optional. The result can be used in routes, playlists and extensions.
    package static func path(parsing text: String) throws(SettingFault) -> String {
        let path = text.hasPrefix("/") ? text : "/" + text
        let isPlain = path.utf8.allSatisfy { PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "/") }
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

    /// The path for a mount whose station has this name: letters and digits of ASCII, in lower case, with a hyphen for
    /// each run of other characters. Other scripts are transliterated as far as possible. A number is appended until
    /// the path is valid, and free.
    package static func path(named name: String, isFree: (_ path: String) -> Bool) -> String {
        let words = Transliteration.ascii(name).utf8.split { !$0.isLetter && !$0.isDigit }
        let slug = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
        let base = slug.isEmpty ? "station" : slug
        var number = 1
        while true {
            let suffix = number == 1 ? "" : "-\(number)"
            let path = "/" + base.prefix(longestDerived - suffix.count) + suffix
            if (try? self.path(parsing: path)) != nil, isFree(path) { return path }
            number += 1
        }
    }

    /// The limit for the characters of a path that is derived from a name.
    private static let longestDerived = 64
}
