// SPDX-License-Identifier: MIT

import RadioFormats

/// Chooses the name of a station: the given name, else `icy-name`, else host and path of the URL.
package enum StationName {
    /// The maximum length in bytes of UTF-8: a hundred characters of any script.
    private static let longest = 300

    /// The first of these three names that is neither empty nor a placeholder; the third is host and path of the URL.
    /// The URL's user, password, port, query and fragment never appear.
    package static func choose(given: String?, icyName: String?, url: String) -> String {
        stated(given: given, icyName: icyName) ?? hostAndPath(of: url)
    }

    /// The first of these two names that is neither empty nor a placeholder; nil if there is none.
    package static func stated(given: String?, icyName: String?) -> String? {
        if let given = given.map(tidied), !given.isEmpty { return given }
        return icyName.flatMap(own)
    }

    /// The name that a station's server sends; nil if it is empty or a placeholder.
    static func own(_ icyName: String) -> String? {
        let name = tidied(icyName)
        return name.isEmpty || says(nothing: name) ? nil : name
    }

    /// `radio.example/live` for `https://user:secret@radio.example:8443/live?token=1#x`.
    static func hostAndPath(of url: String) -> String {
        var rest = Substring(AddressText(url).redacted)
        if let colon = rest.firstIndex(of: ":"), rest[colon...].hasPrefix("://") { rest = rest[colon...].dropFirst(3) }
        var host = rest.prefix { $0 != "/" }
        let path = rest[host.endIndex...]
        if host.first == "[", let end = host.firstIndex(of: "]") {
            host = host[host.index(after: host.startIndex)..<end]
        } else {
            host = host.prefix { $0 != ":" }
        }
        let trimmed = path.reversed().drop { $0 == "/" }.reversed()
        let name = tidied(String(host) + String(trimmed))
        return name.isEmpty ? "station" : name
    }

    /// Whether servers, encoders or automation software send this name if none is configured, or whether it only tells
    /// a mount's path, a format or a bit rate.
    private static func says(nothing name: String) -> Bool {
        let name = name.lowercased()
        if placeholders.contains(name) || name.first == "/" && !name.contains(" ") { return true }
        return name.split { !$0.isLetter && !$0.isNumber && $0 != "+" }.allSatisfy(isTechnical)
    }

    private static func isTechnical(_ word: Substring) -> Bool {
        let unit = word.drop(while: \.isNumber)
        if unit.count == word.count { return technical.contains(String(word)) }
        return unit.isEmpty ? bitRates.contains(Int(word) ?? 0) : units.contains(String(unit))
    }

    private static let placeholders: Set<String> = [
        "(null)", "autodj", "auto dj", "azuracast", "azuracast radio", "butt", "default", "default stream",
        "default stream name", "icecast", "icecast server", "ices", "internet radio", "liquidsoap radio!",
        "live radio", "mixxx", "my radio", "my server name", "my station", "my station name", "no name",
        "none", "offline", "online radio", "radio", "radio station", "radio stream", "server name", "shoutcast",
        "shoutcast server", "station", "station name", "stream name", "test", "test stream",
        "this is my server name", "unknown", "unnamed", "unnamed server", "unspecified name", "untitled",
        "your radio name", "your station name",
    ]

    private static let technical: Set<String> = [
        "aac", "aac+", "aacp", "audio", "flac", "he", "kbit", "kbps", "live", "mono", "mount", "mp3", "mpeg", "ogg",
        "opus", "s", "stereo", "stream", "v1", "v2", "vorbis",
    ]
    private static let units: Set<String> = ["hz", "k", "kb", "kbit", "kbps", "kbs", "khz"]
    /// Other numbers may be a station's name.
    private static let bitRates: Set<Int> = [16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]

    /// Removes line breaks, control characters and surplus blanks, and limits the length.
    private static func tidied(_ text: String) -> String {
        let visible = text.unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control ? " " : Character(scalar)
        }
        return String(visible).split(whereSeparator: \.isWhitespace).joined(separator: " ").cut(toBytes: longest)
    }
}
