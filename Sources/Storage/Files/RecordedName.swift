// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// Classifies a file in a recordings folder by its name.
enum RecordedName: Hashable {
    /// `BASE.json`: the description of a recording, if it is ours.
    case sidecar(base: String)
    /// `BASE.found`: what was found for the gaps of a recording that grew, if it is ours.
    case found(base: String)
    /// `BASE.EXT`: complete audio, or a file that might be.
    case audio(base: String, fileExtension: String)
    /// `BASE.EXT.part`: audio that is growing, or was left behind.
    case part(base: String, fileExtension: String)
    /// A file that will get one of these names.
    case temporary

    /// Returns nil for a name that none of our files has.
    init?(_ name: String) {
        if TemporaryFile.isName(name) {
            self = .temporary
            return
        }
        guard !name.hasPrefix("."), let (stem, last) = Self.split(name[...]) else { return nil }
        if last == Companion.sidecar.rawValue {
            self = .sidecar(base: String(stem))
        } else if last == Companion.found.rawValue {
            self = .found(base: String(stem))
        } else if last != "part" {
            guard Container(fileExtension: String(last)) != nil else { return nil }
            self = .audio(base: String(stem), fileExtension: String(last))
        } else {
            guard let (base, own) = Self.split(stem), Container(fileExtension: String(own)) != nil else { return nil }
            self = .part(base: String(base), fileExtension: String(own))
        }
    }

    /// The names that the audio of a segment can have, in the order in which to look for them. The final names come
    /// first and again last, because a part may get its final name between the first two looks.
    static func ofAudio(
        base: String, fileExtensions: [String]
    ) -> [(name: String, fileExtension: String, isPart: Bool)] {
        let final = fileExtensions.map { ("\(base).\($0)", $0, false) }
        let parts = fileExtensions.map { ("\(base).\($0).part", $0, true) }
        return final + parts + final
    }

    var isSidecar: Bool {
        if case .sidecar = self { true } else { false }
    }

    private static func split(_ name: Substring) -> (stem: Substring, fileExtension: Substring)? {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return nil }
        return (name[..<dot], name[name.utf8.index(after: dot)...])
    }
}
