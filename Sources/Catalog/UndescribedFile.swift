// SPDX-License-Identifier: MIT

/// Audio that no sidecar describes. Its file is listed as a recording of its own, whose ID is made from its path.
package enum UndescribedFile {
    /// IDs that sidecars state have no space.
    private static let mark = "file "

    /// `path`: below the recordings folder, without extension.
    static func id(at path: String) -> String { mark + path }

    package static func isID(_ id: String) -> Bool { id.hasPrefix(mark) }

    /// A condition in SQL: a row is that of a file which a sidecar describes.
    static let isDescribed = "recording NOT LIKE '\(mark)%'"
}
