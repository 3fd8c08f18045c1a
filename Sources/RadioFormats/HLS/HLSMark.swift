// SPDX-License-Identifier: MIT

/// The tags that tell HLS from a list of stations. Lists for television have other tags that begin with `#EXT-X-`.
enum HLSMark {
    /// The beginnings of the names, behind `#EXT-X-`, in lower case.
    static var tags: [StaticString] {
        [
            "targetduration", "media", "stream-inf", "version", "endlist", "playlist-type", "program-date-time",
            "discontinuity", "independent-segments", "allow-cache", "key:", "map:", "byterange",
        ]
    }

    /// Whether a line begins with one of the tags.
    static func begins(_ line: String) -> Bool {
        guard line.hasPrefix("#") else { return false }
        let line = line.prefix(64).lowercased()
        return line.hasPrefix("#ext-x-") && tags.contains { line.dropFirst(7).hasPrefix("\($0)") }
    }
}
