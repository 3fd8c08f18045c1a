// SPDX-License-Identifier: MIT

/// Why the catalog cannot be used. It is an index only, so nothing is lost.
package enum CatalogError: Error, Hashable, Sendable, CustomStringConvertible {
    /// SQLite is not installed, or too old.
    case noLibrary(String)
    /// The file is not a database, or is damaged.
    case damaged(String)
    /// Another process holds the lock of the database.
    case locked
    /// The file was written by a newer version of this program.
    case newer(version: Int64)
    /// The disk is full.
    case noSpace
    /// Any other error, with SQLite's code and text.
    case failed(Int32, String)

    package var description: String {
        switch self {
        case .noLibrary(let why): "SQLite cannot be opened (\(why)); install SQLite (Debian: libsqlite3-0)"
        case .damaged(let why): "the catalog is damaged (\(why))"
        case .locked: "another program has locked the catalog; Aircheck tries again"
        case .newer:
            "the catalog was made by a newer version of Aircheck: recording continues, but nothing is listed or "
                + "deleted; install the newer version again, or move catalog.sqlite out of the state folder: Aircheck "
                + "then rebuilds the catalog"
        case .noSpace: "there is no space left for the catalog"
        case .failed(let number, let text): "the catalog cannot be used: \(text) (\(number))"
        }
    }

    /// The error of an SQLite result code.
    init(code: Int32, _ text: String) {
        // The lowest byte is the primary result code; the others give details.
        switch code & 0xFF {
        case 5, 6: self = .locked
        case 11, 26: self = .damaged(text)
        case 13: self = .noSpace
        default: self = .failed(code, text)
        }
    }
}
