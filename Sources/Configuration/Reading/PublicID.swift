// SPDX-License-Identifier: MIT

import RadioFormats
import Relay

/// The IDs of stations and shows. They are parts of addresses and paths.
enum PublicID {
    private static let longest = 64

    /// Paths that the server itself uses, or may use one day.
    private static let reserved: Set<String> = [
        "admin", "api", "assets", "events", "favicon.ico", "feed", "feeds", "healthz", "index.html", "library",
        "metrics", "player", "queue", "readyz", "recordings", "robots.txt", "schedule", "shows", "static", "stations",
        "status",
    ]
    /// Extensions that are reserved for the playlists and pages of mounts.
    private static let endings = [".json", ".m3u", ".m3u8", ".pls", ".xspf", ".xsl"]

    /// Why a text is not an ID. The description addresses the person who typed it.
    enum ParseError: SafelyWorded, Hashable, Sendable, CustomStringConvertible {
        case characters
        case reserved(String)
        case ending(String)

        var description: String {
            switch self {
            case .characters:
                "an id has 1 to \(PublicID.longest) of a to z, 0 to 9, - and _, with single dots between them"
            case .reserved(let id): "'\(id)' is an address that Aircheck needs for itself; choose another id"
            case .ending(let ending): "an id must not end with \(ending), which is used for playlists and pages"
            }
        }
    }

    /// Parses the ID of a show.
    static func parse(_ text: String) throws(ParseError) -> String {
        let isPlain = text.utf8.allSatisfy {
            $0.isLetter && !$0.isUppercase || $0.isDigit || "-_.".utf8.contains($0)
        }
        guard isPlain, (1...longest).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "."),
            text.utf8.last != UInt8(ascii: "."), !text.contains("..")
        else { throw .characters }
        return text
    }

    /// An ID for a station with this name that is valid and not `taken`.
    static func derived(from name: String, taken: Set<String>) -> String {
        let path = Mount.path(named: name) { path in
            let id = String(path.dropFirst())
            return (try? parseStation(id)) != nil && !taken.contains(id)
        }
        return String(path.dropFirst())
    }

    /// Parses the ID of a station, which is also the path of its mount.
    static func parseStation(_ text: String) throws -> String {
        let id = try parse(text)
        if reserved.contains(id) { throw ParseError.reserved(id) }
        if let ending = endings.first(where: id.hasSuffix) { throw ParseError.ending(ending) }
        _ = try Mount.path(parsing: id)
        return id
    }
}
