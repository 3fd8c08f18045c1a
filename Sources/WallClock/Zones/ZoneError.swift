// SPDX-License-Identifier: MIT

import RadioCore

/// Why a time zone cannot be used. The description addresses the person who typed its name.
package enum ZoneError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text cannot be the name of a zone. `nearest` is the most similar known name, if there is one.
    case invalidName(String, nearest: String?)
    /// There is no file of that name. `nearest` is the most similar known name, if there is one.
    case unknown(String, nearest: String?)
    /// None of these folders exists, so there is no database.
    case noDatabase([String])
    /// The file cannot be read. The values are the file's path and the system's message.
    case unreadable(String, String)
    case invalid(String, ZoneFlaw)

    package var description: String {
        switch self {
        case .invalidName(let name, let nearest):
            "\"\(name.prefix(ZoneName.longest))\" cannot be the name of a time zone; \(Self.remedy(nearest))"
        case .unknown(let name, let nearest): "there is no time zone \"\(name)\"; \(Self.remedy(nearest))"
        case .noDatabase(let folders):
            """
            this machine has no time zones in \(folders.joined(separator: " or ")); install its package tzdata
            """
        case .unreadable(let path, let cause): "the time zone file \(path) cannot be read: \(cause)"
        case .invalid(let path, let flaw):
            "the time zone file \(path) \(flaw); install the package tzdata again, or choose another time zone"
        }
    }

    private static func remedy(_ nearest: String?) -> String {
        nearest.map { "did you mean \"\($0)\"?" } ?? "write for example Europe/Berlin, America/New_York or UTC"
    }
}
