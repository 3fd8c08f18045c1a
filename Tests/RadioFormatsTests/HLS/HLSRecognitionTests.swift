// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

/// HLS and lists of stations have the same names, types and first line. Their tags tell them apart.
struct HLSRecognitionTests {
    private static let types = [nil, "audio/x-mpegurl", "application/vnd.apple.mpegurl", "text/plain", "audio/mpeg"]
    private static let names = ["http://a.example/x.m3u", "http://a.example/x.m3u8", "http://a.example/live"]

    private func guesses(_ text: String) -> Set<ContentGuess> { guesses(Array(text.utf8)) }

    private func guesses(_ bytes: [UInt8]) -> Set<ContentGuess> {
        var guesses: Set<ContentGuess> = []
        for type in Self.types {
            for name in Self.names {
                let recognizer = StreamRecognizer(contentType: type, url: name)
                guesses.insert(bytes.withUnsafeBytes { recognizer.guess($0, isComplete: true) })
            }
        }
        return guesses
    }

    private func isHLSForPlaylist(_ text: String) -> Bool {
        do {
            _ = try Playlist(Array(text.utf8), kind: .m3u, base: "http://a.example/x")
            return false
        } catch { return error == .isHLS }
    }

    static let liveLists = [
        "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n1.ts\n",
        "#EXTM3U\n#EXTINF:6,\n1.ts\n#EXT-X-TARGETDURATION:6\n",
        "#EXTM3U\n#EXTINF:6,\nhttp://a.example/1.ts\n#EXTINF:6,\nhttp://a.example/2.ts\n#EXT-X-MEDIA-SEQUENCE:1\n",
        "#EXTM3U\n#EXTINF:6,\n1.ts\n#EXT-X-ENDLIST",
        "# a remark\n\n; another\n#EXTM3U\n# more\n#EXTINF:6,\n#EXT-X-DISCONTINUITY\n1.ts\n",
        "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=96000\nlow.m3u8\n", "#EXT-X-STREAM-INF:BANDWIDTH=96000\nlow.m3u8\n",
        "#EXTM3U\n" + String(repeating: "#EXTINF:6,\nsegment-with-a-name.ts\n", count: 300)
            + "#EXT-X-TARGETDURATION:6\n",
    ]
    static let stationLists = [
        "#EXTM3U\n#EXTINF:-1,A station\nhttp://a.example/1\n", "#EXTM3U\nhttp://a.example/1\n",
        "# a remark\nhttp://a.example/1\nhttp://b.example/x.m3u8\n",
        "#EXTINF:-1,#EXT-X-TARGETDURATION\nhttp://a.example/1\n",
        "#EXTM3U\n#EXTVLCOPT:network-caching=1000\n#EXTINF:-1 group-title=\"#EXT-X-VERSION:3\",x\nhttp://a.example/1\n",
        "#EXTM3U\n#EXT-X-APP tv\n#EXTINF:-1,x\nhttp://a.example/1\n#PLAYLIST:#EXT-X-ENDLIST\n",
    ]

    @Test("A tag of HLS makes a list HLS, wherever it stands", arguments: liveLists)
    func hls(_ text: String) throws {
        for text in [text, "\u{feff}" + text, text.replacing("\n", with: "\r\n"), text.replacing("\n", with: "\r")] {
            #expect(guesses(text) == [.hls] && isHLSForPlaylist(text))
            _ = try HLSPlaylist(Array(text.utf8), base: "http://a.example/x")
        }
    }

    @Test("A list in UTF-16 is read like one in UTF-8", arguments: [true, false], [true, false])
    func encodings(isMarked: Bool, isBig: Bool) throws {
        for text in Self.liveLists where text.utf8.count < 4_000 {
            let units = (isMarked ? [0xFEFF] : []) + Array(text.utf16)
            let bytes = units.flatMap { [UInt8($0 >> (isBig ? 8 : 0) & 0xFF), UInt8($0 >> (isBig ? 0 : 8) & 0xFF)] }
            #expect(guesses(bytes) == [.hls], "\(text.prefix(80))")
            let list = try HLSPlaylist(bytes, base: "http://a.example/x")
            #expect(try list == HLSPlaylist(Array(text.utf8), base: "http://a.example/x"))
        }
    }

    @Test("Without a tag of HLS, a list is a list of stations", arguments: stationLists)
    func lists(_ text: String) {
        for text in [text, "\u{feff}" + text, text.replacing("\n", with: "\r\n")] {
            #expect(guesses(text) == [.playlist(.m3u)] && !isHLSForPlaylist(text))
        }
    }

    @Test("A tag of HLS behind the bytes that are examined is found when the list is read")
    func lateTag() {
        let text = "#EXTM3U\n" + String(repeating: "#EXTINF:6,\nsegment-with-a-name.ts\n", count: 1_000)
        #expect(guesses(text + "#EXT-X-TARGETDURATION:6\n") == [.playlist(.m3u)])
        #expect(isHLSForPlaylist(text + "#EXT-X-TARGETDURATION:6\n") && !isHLSForPlaylist(text))
    }

    @Test("A text without tags of HLS is a problem with a name")
    func noHLS() {
        for text in ["", "#EXTM3U\n", "<html>", "#EXTM3U\nhttp://a.example/1\n", "#EXT-X-VERSION:3\n1.ts\n"] {
            #expect(throws: HLSProblem.noHLS) { try HLSPlaylist(Array(text.utf8), base: "http://a.example/x") }
        }
    }
}
