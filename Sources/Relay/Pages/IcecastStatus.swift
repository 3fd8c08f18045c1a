// SPDX-License-Identifier: MIT

import HTTPServer
import Instants
import RadioCore
import RadioFormats

/// A relay's state in the format of Icecast 2.4's `/status-json.xsl`, for programs that read that format.
enum IcecastStatus {
    static func json(_ server: String, _ started: WallInstant, _ mounts: [MountSnapshot], base: String) -> JSONValue {
        var stats: JSONObject = [
            "admin": "icemaster@localhost", "host": hostname(base), "location": "Earth", "server_id": server,
            "server_start": date(started), "server_start_iso8601": iso8601(started),
        ]
        // A single mount is an object, and several mounts are an array. Without mounts, the member is missing.
        let sources = mounts.filter { $0.format != nil }.map { source($0, base) }
        switch sources.count {
        // Icecast ends its objects with this member.
        case 0: stats.append("dummy", JSONValue.null)
        case 1: stats.append("source", sources[0])
        default: stats.append("source", sources)
        }
        return ["icestats": .object(stats)]
    }

    private static func source(_ mount: MountSnapshot, _ base: String) -> JSONValue {
        .object([
            "bitrate": mount["icy-br"].flatMap { Int64($0) }.ifKnown, "channels": mount.format?.channels ?? 0,
            "genre": mount["icy-genre"] ?? "various", "listener_peak": mount.peak, "listeners": mount.listeners,
            "listenurl": base + mount.path, "samplerate": mount.format?.playedSampleRate ?? 0,
            "server_description": mount["icy-description"] ?? "Unspecified description", "server_name": mount.name,
            "server_type": mount.format?.fileType.contentType ?? "", "server_url": mount["icy-url"].ifKnown,
            "stream_start": mount.onAirSince.map(date).ifKnown,
            "stream_start_iso8601": mount.onAirSince.map(iso8601).ifKnown, "title": mount.title.ifKnown,
            "dummy": JSONValue.null,
        ])
    }

    /// The host of `base`, without scheme, port and path.
    private static func hostname(_ base: String) -> String {
        let authority = base.drop { $0 != "/" }.drop { $0 == "/" }
        guard authority.hasPrefix("["), let end = authority.firstIndex(of: "]") else {
            return String(authority.prefix { $0 != ":" && $0 != "/" })
        }
        return String(authority[...end])
    }

    /// Formats a date as in `Sat, 21 Nov 2026 21:00:00 +0000`.
    private static func date(_ instant: WallInstant) -> String {
        CivilTime(instant, utcOffset: 0).httpDate.replacing(suffix: "GMT", with: "+0000")
    }

    /// Formats a date as in `2026-11-21T21:00:00+0000`.
    private static func iso8601(_ instant: WallInstant) -> String {
        CivilTime(instant, utcOffset: 0).rfc3339.prefix(19) + "+0000"
    }
}

extension MountSnapshot {
    /// A field of the response head.
    fileprivate subscript(_ name: String) -> String? {
        fields.first { $0.name == name }?.value
    }
}

extension String {
    fileprivate func replacing(suffix: String, with other: String) -> String {
        hasSuffix(suffix) ? dropLast(suffix.count) + other : self
    }
}
