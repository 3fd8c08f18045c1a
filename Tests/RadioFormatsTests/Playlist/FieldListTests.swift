// SPDX-License-Identifier: MIT

import RadioFormats
import TestTools
import Testing

/// Playlists as they are found on the web: recognized by their beginning or their type, and read.
struct FieldListTests {
    struct Sample: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var body: [UInt8]
        var type: String?
        var url: String
        var wanted: [String]

        init(
            _ name: String, _ text: String, type: String? = nil, at url: String = "http://r.example/listen",
            _ wanted: [String] = ["http://a.example/1"]
        ) {
            self.init(name, Array(text.utf8), type: type, at: url, wanted)
        }

        init(
            _ name: String, _ body: [UInt8], type: String? = nil, at url: String = "http://r.example/listen",
            _ wanted: [String] = ["http://a.example/1"]
        ) {
            testDescription = name
            self.body = body
            (self.type, self.url, self.wanted) = (type, url, wanted)
        }
    }

    private static let one = "http://a.example/1"
    private static let two = ["http://a.example/1", "http://a.example/2"]

    private static func wide(_ text: String, isBigEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { unit in
            let bytes = [UInt8(unit & 0xff), UInt8(unit >> 8)]
            return isBigEndian ? bytes.reversed() : bytes
        }
    }

    static let samples = [
        Sample(
            "a comment before [playlist]", "; made by hand\n# really\n\n[playlist]\nFile1=\(one)\n", type: "text/plain"),
        Sample("PLS without its head", "File1=\(one)\nTitle1=One\nLength1=-1\n", type: "text/plain"),
        Sample("PLS without its head, the count first", "NumberOfEntries=1\r\nFile1 = \(one)\r\n", type: "text/html"),
        Sample("PLS with lengths first", "[playlist]\nLength1=-1\nFile1=\(one)\nVersion=2", type: "audio/mpeg"),
        Sample("PLS whose entries share a number", "[playlist]\nFile1=\(one)\nFile1=http://a.example/2\n", two),
        Sample("PLS without numbers", "[playlist]\nFile=\(one)\nFile=http://a.example/2\n", two),
        Sample("two byte order marks", "\u{feff}\u{feff}[playlist]\nFile1=\(one)\n"),
        Sample("a blank head", "\n\n  [Playlist]  \nfile1=\(one)\n", type: "audio/x-scpls"),
        Sample("lines that end with CR", "#EXTM3U\r#EXTINF:-1,One\r\(one)\r"),
        Sample("UTF-16 without a mark", wide("#EXTM3U\r\n\(one)\r\n", isBigEndian: false), type: "audio/x-mpegurl"),
        Sample("UTF-16 without a mark, big end first", wide("[playlist]\r\nFile1=\(one)\r\n", isBigEndian: true)),
        Sample("M3U under the name of PLS", "#EXTM3U\n\(one)\n", type: "audio/x-scpls", at: "http://r.example/x.pls"),
        Sample("addresses alone under the name of PLS", "\n\(one)\n", type: "audio/x-scpls"),
        Sample("PLS under the name of M3U", "[playlist]\nFile1=\(one)\n", type: "audio/x-mpegurl"),
        Sample("XSPF under the name of M3U", "<playlist><track><location>\(one)</location>", type: "audio/x-mpegurl"),
        Sample("M3U under the name of XSPF", "#EXTM3U\n\(one)", type: "application/xspf+xml"),
        Sample("M3U with a comment first", "# our streams\n\(one)\n", type: "audio/mpeg"),
        Sample("M3U without its head", "#EXTINF:-1,One\n\(one)\n", type: "text/plain"),
        Sample("options first", "#EXTVLCOPT:network-caching=100\n\(one)\n", type: "text/plain"),
        Sample(
            "a script's warning first", "<br />\n<b>Warning</b>: x in y\n#EXTM3U\n\(one)\n", type: "audio/x-mpegurl"),
        Sample("entities", "#EXTM3U\nhttp://a.example/1?a=1&amp;b=2\n", ["http://a.example/1?a=1&b=2"]),
        Sample(
            "entities twice in XSPF", "<playlist><track><location>http://a.example/1?a=1&amp;amp;b=2</location>",
            ["http://a.example/1?a=1&b=2"]),
        Sample("PLS with entities", "[playlist]\nFile1=http://a.example/1?a=1&#38;b=2", ["http://a.example/1?a=1&b=2"]),
        Sample("angle brackets", "#EXTM3U\n<\(one)>\n"), Sample("breaks of HTML", "#EXTM3U\n\(one)<br />\n"),
        Sample("quotes", "#EXTM3U\n\"\(one)\"\n"),
        Sample("a break inside an address", "<playlist><track><location>http://a.exam\nple/1\n</location>"),
        Sample("two addresses in a line", "#EXTM3U\n\(one) http://a.example/2\n", two),
        Sample(
            "no scheme", "#EXTM3U\na.example:8000/1\nwww.b.example/2",
            ["http://a.example:8000/1", "http://www.b.example/2"]),
        Sample("icy:", "icy://a.example/1\n", type: "text/plain"),
        Sample("a saved link", "[InternetShortcut]\r\nURL=\(one)\r\n"),
        Sample("RAM", "\(one)\n", type: "audio/x-pn-realaudio"),
        Sample("SMIL", "<?wpl version='1.0'?>\n<smil><body><seq><media src='\(one)'/></seq></body></smil>"),
        Sample(
            "a link of QuickTime", "<?xml version='1.0'?><?quicktime type='x'?><embed src='\(one)' autoplay='true'/>"),
        Sample("OPML", "<opml version='1'><body><outline type='audio' text='One' URL='\(one)'/></body></opml>"),
        Sample(
            "ASX in capitals, unclosed, with bare &", "<ASX VERSION=3.0><ENTRY><REF HREF=http://a.example/1?a&b>",
            ["http://a.example/1?a&b"]),
        Sample(
            "ASX without entries", "<asx version='3.0'><ref href='\(one)'/><ref href='http://a.example/2'/></asx>", two),
        Sample(
            "an empty entry before the good one",
            "<asx><entry><ref href=''/></entry><entry><ref href='\(one)'/></entry>"),
        Sample("NULs at the end", Array("[playlist]\nFile1=\(one)\n".utf8) + [0, 0, 0x1A]),
    ]

    @Test("B48: A list is recognized and read, whatever name it goes by and however it was written", arguments: samples)
    func reads(_ sample: Sample) throws {
        let recognizer = StreamRecognizer(contentType: sample.type, url: sample.url)
        let guess = sample.body.withUnsafeBytes { recognizer.guess($0, isComplete: true) }
        guard case .playlist(let kind) = guess else { throw SetupError("taken for \(guess)") }
        #expect(try Playlist(sample.body, kind: kind, base: sample.url).entries.map(\.url) == sample.wanted)
    }

    @Test("B48: One title in an old charset does not spoil the titles in UTF-8")
    func mixedCharsets() throws {
        let body =
            Array("#EXTM3U\n#EXTINF:-1,Zoë\n\(Self.one)\n#EXTINF:-1,Caf".utf8) + [0xE9]
            + Array("\nhttp://a.example/2\n".utf8)
        #expect(try Playlist(body, kind: .m3u, base: "").entries.map(\.title) == ["Zoë", "Café"])
    }

    @Test(
        "Texts that are no lists stay what they are",
        arguments: [
            ("# a note\nThe station moved.\n", ContentGuess.text), ("title of the day\n", .text),
            ("file name\n", .text), ("; nothing\n", .text), ("{\"url\": \"x\"}", .json),
        ])
    func others(text: String, wanted: ContentGuess) {
        let recognizer = StreamRecognizer(contentType: "text/plain", url: nil)
        #expect(Array(text.utf8).withUnsafeBytes { recognizer.guess($0, isComplete: true) } == wanted)
    }
}
