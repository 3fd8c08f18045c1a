// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

struct PlaylistTests {
    private let base = "http://radio.example/lists/all.pls?x=1"

    private func urls(_ text: String, _ kind: PlaylistKind) throws -> [String] {
        try Playlist(Array(text.utf8), kind: kind, base: base).entries.map(\.url)
    }

    @Test func readsPLS() throws {
        let text = """
            [playlist]
            NumberOfEntries=3
            File2=http://b.example/two
            Title2=Two
            File1=https://a.example:8000/one
            Title1= One = 1
            Length1=-1
            file10 = http://c.example/ten
            Version=2
            """
        for ending in ["\n", "\r\n", "\r"] {
            let body = Array(text.replacing("\n", with: ending).utf8)
            let playlist = try Playlist(body, kind: .pls, base: base)
            #expect(
                playlist.entries == [
                    Playlist.Entry(url: "https://a.example:8000/one", title: "One = 1"),
                    Playlist.Entry(url: "http://b.example/two", title: "Two"),
                    Playlist.Entry(url: "http://c.example/ten"),
                ])
        }
    }

    @Test func readsM3U() throws {
        let text =
            "\u{feff}#EXTM3U\r\n#EXTINF:-1 tvg-id=\"x\",Süßes  Radio\r\n  http://a.example/live  \r\n\r\n"
            + "# a comment\r\n../two words.mp3\r\n//c.example/x\r\n/root?q#f"
        let playlist = try Playlist(Array(text.utf8), kind: .m3u, base: base)
        #expect(
            playlist.entries == [
                Playlist.Entry(url: "http://a.example/live", title: "Süßes Radio"),
                Playlist.Entry(url: "http://radio.example/two%20words.mp3"),
                Playlist.Entry(url: "http://c.example/x"),
                Playlist.Entry(url: "http://radio.example/root?q#f"),
            ])
    }

    @Test func latin1IsReadToo() throws {
        let body = Array("#EXTINF:-1,Caf".utf8) + [0xe9] + Array("\nhttp://a.example/\n".utf8)
        #expect(try Playlist(body, kind: .m3u, base: base).entries.first?.title == "Café")
    }

    @Test func onlyTheWebIsFollowed() throws {
        let text =
            "file:///etc/passwd\nftp://a/x\nC:\\x.mp3\nrtsp://a/\njavascript:x\nhttp:///x\nhttp://good.example/\n"
        #expect(try urls(text, .m3u) == ["http://good.example/"])
    }

    @Test func hlsIsNoListOfStations() {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n"
        #expect(throws: Playlist.Problem.isHLS) { try urls(text, .m3u) }
    }

    @Test func limitsHold() throws {
        #expect(throws: Playlist.Problem.noEntries) { try urls("[playlist]\nNumberOfEntries=0", .pls) }
        #expect(throws: Playlist.Problem.noEntries) { try urls("", .m3u) }
        let long = "http://a.example/" + String(repeating: "x", count: Playlist.longestURL)
        #expect(try urls(long + "\nhttp://b.example/", .m3u) == ["http://b.example/"])
        let many = (0..<300).map { "http://a.example/\($0)" }.joined(separator: "\n")
        #expect(try urls(many, .m3u).count == Playlist.mostEntries)
        let tooLong = [UInt8](repeating: 0x0a, count: Playlist.longestBody + 1)
        #expect(throws: Playlist.Problem.tooLong) { try Playlist(tooLong, kind: .m3u, base: base) }
    }

    @Test func anyBytesAreSafeToRead() {
        var generator = SplitMix64(seed: 60)
        let alphabet = Array("File1=Title2htp:/[]#EXT.\n\r ".utf8) + [0, 0xff, 0xc3, 0xa9, 0xef, 0xbb, 0xbf]
        for _ in 0..<500 {
            let body = (0..<200).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            for kind in PlaylistKind.allCases {
                let entries = (try? Playlist(body, kind: kind, base: base))?.entries ?? []
                #expect(entries.allSatisfy { URLReference($0.url).isWebAddress })
            }
        }
    }
}
