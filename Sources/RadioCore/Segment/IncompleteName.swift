// SPDX-License-Identifier: MIT

/// How the name of a file says that it holds only a part of a song: `Artist - Title (incomplete)`.
///
/// A file has such a name while it grows, because only its end shows whether the song is whole. So a file that a dead
/// process left has the right name already.
package enum IncompleteName {
    /// The marker at the end of a name, before its number.
    package static let marker = " (incomplete)"

    package static func of(_ name: String) -> String { name + marker }

    /// The name without the marker and the number behind it; nil if the name has no marker.
    package static func whole(of name: String) -> String? {
        var stem = name[...]
        if stem.last == ")", let open = stem.lastIndex(of: "("), stem[..<open].last == " " {
            let number = stem[stem.index(after: open)...].dropLast()
            if !number.isEmpty, number.allSatisfy({ "0"..."9" ~= $0 }) { stem = stem[..<open].dropLast() }
        }
        return stem.hasSuffix(marker) ? String(stem.dropLast(marker.count)) : nil
    }
}
