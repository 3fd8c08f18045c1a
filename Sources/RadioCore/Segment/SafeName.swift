// SPDX-License-Identifier: MIT

import RadioFormats

/// Makes a path component from any text, valid on every file system and share that a recording may end up on.
///
/// Whatever the input, the result has no separator, control, bidi or invisible character, does not begin with a dot or
/// a dash or end with a dot or space, is not a reserved device name of Windows, and has at most ``maxBytes`` bytes. Two
/// texts may yield the same name: to create a file, try ``numbered(_:attempt:)`` until the name is new.
package enum SafeName {
    /// The limit for a component in bytes of UTF-8. File systems take 255 bytes; the rest is left for ` (2)` and
    /// `.mp3.part`.
    package static let maxBytes = 200

    /// Makes a safe component from `text`, or from `fallback` if nothing of `text` is left, or else `_`.
    package static func component(_ text: String, fallback: String) -> String {
        for candidate in [text, fallback] {
            let name = trimmed(trimmed(clean(candidate)).cut(toBytes: maxBytes - 1))
            if !name.isEmpty { return freeOfDeviceNames(name) }
        }
        return "_"
    }

    /// What two names have in common if files named after them would have one name, on any file system.
    package static func key(_ name: String) -> String { component(name, fallback: name).lowercased() }

    /// The name for the `attempt`th try to create a file of that name, counted from 1: `name`, `name (2)`, …
    package static func numbered(_ name: String, attempt: Int) -> String {
        attempt < 2 ? name : "\(name) (\(attempt))"
    }

    /// Whether nothing of the text would be left in a name.
    static func isEmpty(_ text: String) -> Bool {
        trimmed(clean(text)).isEmpty
    }

    /// Replaces or removes the characters that no name may contain; leaves dots and the length as they are.
    static func clean(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace || isLineOrTab(scalar) {
                // One blank replaces any run of whitespace.
                if result.last != " " { result.append(" ") }
            } else if let substitute = substitutes[scalar] {
                result.append(substitute)
            } else if !isRefused(scalar) {
                result.append(scalar)
            }
        }
        return composed(String(result))
    }

    /// Removes blanks at both ends; dots (hidden files, `..`), dashes (a program would take the name for an option) and
    /// accents (they would sit on the slash before them) at the start; and dots at the end (Windows drops them).
    private static func trimmed(_ text: String) -> String {
        var scalars = text.unicodeScalars[...]
        while let first = scalars.first, [".", " ", "-"].contains(first) || isMark(first) { scalars.removeFirst() }
        while let last = scalars.last, last == "." || last == " " { scalars.removeLast() }
        return String(scalars)
    }

    /// Adds an underscore to device names: Windows takes `nul`, `NUL.mp3` and `nul .tar.gz` for a device.
    private static func freeOfDeviceNames(_ name: String) -> String {
        let stem = name.prefix { $0 != "." }
        let bare = stem.uppercased().reversed().drop { $0 == " " }.reversed()
        guard deviceNames.contains(String(bare)) else { return name }
        return stem + "_" + name[stem.endIndex...]
    }

    private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator: true
        // Fillers, variation selectors and other invisible characters.
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    private static func isLineOrTab(_ scalar: Unicode.Scalar) -> Bool {
        (0x09...0x0D).contains(scalar.value)
    }

    /// The replacements of separators and of the characters that FAT, NTFS and SMB refuse.
    private static let substitutes: [Unicode.Scalar: Unicode.Scalar] = [
        "/": "-", "\\": "-", ":": "-", "|": "-", "\"": "'", "<": "(", ">": ")", "?": "_", "*": "_",
    ]

    private static let deviceNames: Set<String> = {
        var names: Set<String> = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"]
        for digit in ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³"] {
            names.insert("COM" + digit)
            names.insert("LPT" + digit)
        }
        return names
    }()
}
