// SPDX-License-Identifier: MIT

import HTTPServer
import Instants
import RadioCore
import RadioFormats

/// A relay's state in the format of Icecast 2.4's `/status-json.xsl`, for programs that read that format.
enum IcecastStatus {
    static func json(_ server: String, _ started: WallInstant, _ mounts: [MountSnapshot], base: String) -> JSONValue {
        var stats = JSONObject()
        stats.append("admin", .string("icemaster@localhost"))
        stats.append("host", .string(hostname(base)))
        stats.append("location", .string("Earth"))
        stats.append("server_id", .string(server))
        stats.append("server_start", .string(date(started)))
        stats.append("server_start_iso8601", .string(iso8601(started)))
        // A single mount is an object, and several mounts are an array. Without mounts, the member is missing.
        let sources = mounts.filter { $0.format != nil }.map { source($0, base) }
        switch sources.count {
        // Icecast ends its objects with this member.
        case 0: stats.append("dummy", .null)
        case 1: stats.append("source", sources[0])
        default: stats.append("source", .array(sources))
        }
        return ["icestats": .object(stats)]
    }

    private static func source(_ mount: MountSnapshot, _ base: String) -> JSONValue {
        var source = JSONObject()
        if let rate = mount["icy-br"].flatMap({ Int64($0) }) {
            source.append("bitrate", .integer(rate))
        }
        source.append("channels", .integer(Int64(mount.format?.channels ?? 0)))
        source.append("genre", .string(mount["icy-genre"] ?? "various"))
        source.append("listener_peak", .integer(Int64(mount.peak)))
        source.append("listeners", .integer(Int64(mount.listeners)))
        source.append("listenurl", .string(base + mount.path))
        source.append("samplerate", .integer(Int64(mount.format?.playedSampleRate ?? 0)))
        source.append("server_description", .string(mount["icy-description"] ?? "Unspecified description"))
        source.append("server_name", .string(mount.name))
        source.append("server_type", .string(mount.format?.fileType.contentType ?? ""))
        if let url = mount["icy-url"] { source.append("server_url", .string(url)) }
        if let began = mount.onAirSince {
            source.append("stream_start", .string(date(began)))
            source.append("stream_start_iso8601", .string(iso8601(began)))
        }
        if let title = mount.title { source.append("title", .string(title)) }
        source.append("dummy", .null)
        return .object(source)
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
