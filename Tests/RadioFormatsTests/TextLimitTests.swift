// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

/// Limits on untrusted texts, counted in bytes.
struct TextLimitTests {
    /// A single character of 14 kB.
    private static let heap = "a" + String(repeating: "\u{301}", count: 7_000)

    @Test(
        "C10: A text is cut at a character, and an endless character between its scalars",
        arguments: [
            ("abc", 3, "abc"), ("abc", 2, "ab"), ("abc", 0, ""), ("", 0, ""), ("aé", 2, "a"), ("日本", 5, "日"),
            ("日", 2, ""),
            ("ab👨‍👩‍👧", 12, "ab"), ("e\u{301}", 1, "e"), ("xe\u{301}", 2, "x"), ("\r\n", 1, "\r"),
        ])
    func cuts(_ text: String, _ limit: Int, _ expected: String) {
        #expect(text.cut(toBytes: limit).unicodeScalars.elementsEqual(expected.unicodeScalars))
    }

    @Test("C10: No heap of accents exceeds a limit")
    func heaps() {
        #expect((501...502).contains(Self.heap.cut(toBytes: 502).utf8.count + 1))
        #expect(("b" + Self.heap).cut(toBytes: 500) == "b")
        #expect(Self.heap.cut(toBytes: -1).isEmpty)
        for limit in 0..<40 {
            let text = Self.heap.cut(toBytes: 20) + "👩🏽‍🚀日x" + Self.heap.cut(toBytes: 10)
            #expect(text.cut(toBytes: limit).utf8.count <= limit)
            #expect(text.unicodeScalars.starts(with: text.cut(toBytes: limit).unicodeScalars))
        }
    }

    @Test("C10: Titles from any source are cut, and a title stays clean when it is cut")
    func titles() throws {
        for text in [Self.heap, String(repeating: "word ", count: 3_000), String(repeating: "日", count: 9_000)] {
            let title = TitleText.cleaned(text)
            #expect(title.utf8.count > TitleText.longest - 10 && title.utf8.count <= TitleText.longest)
            #expect(TitleText.cleaned(title) == title)
        }
        let list = "#EXTM3U\n#EXTINF:1,\(Self.heap)\nhttp://a.example/\n"
        let entry = try #require(Playlist(Array(list.utf8), kind: .m3u, base: "http://a.example").entries.first)
        #expect(try #require(entry.title).utf8.count <= TitleText.longest)
    }

    @Test("C10: A text that is too long for its tag is cut, even if it is a single character")
    func tags() throws {
        let tag = ID3v2Tag(frames: [.text(id: "TIT2", Self.heap), .text(id: "TPE1", "x")]).encoded(size: 2_048)
        let read = try #require(ID3v2Tag(parsing: tag))
        #expect(try #require(read.title).utf8.count > 1_900)
    }
}
