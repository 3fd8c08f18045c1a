// SPDX-License-Identifier: MIT

import RadioFormats

/// Reads the lists of the tests of HLS.
enum HLSText {
    static func media(
        _ text: String, base: String = "https://a.example/x/list.m3u8", imports: [String: String] = [:]
    ) throws -> MediaPlaylist {
        guard case .media(let list) = try HLSPlaylist(Array(text.utf8), base: base, imports: imports) else {
            throw HLSProblem.noHLS
        }
        return list
    }

    static func master(_ text: String, base: String = "https://a.example/x/main.m3u8") throws -> MasterPlaylist {
        guard case .master(let list) = try HLSPlaylist(Array(text.utf8), base: base) else { throw HLSProblem.noHLS }
        return list
    }

    /// The only segment of a list with these lines before its address.
    static func segment(_ lines: String, _ address: String = "1.ts") throws -> ListedSegment? {
        try media("#EXTM3U\n#EXT-X-TARGETDURATION:6\n\(lines)\n\(address)\n").segments.first
    }
}
