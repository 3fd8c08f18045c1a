// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

struct EntryOptionsTests {
    private typealias Field = EntryOptions.Field

    private func entries(_ text: String, _ kind: PlaylistKind = .m3u) throws -> [Playlist.Entry] {
        try Playlist(Array(text.utf8), kind: kind, base: "http://radio.example/list").entries
    }

    @Test(
        "B47: Each player's way of asking for a user agent or a referer is read, and belongs to one entry",
        arguments: [
            "#EXTVLCOPT:http-user-agent=App/7 (x, y)\n#EXTVLCOPT:http-referrer=http://r.example/?a=b\nhttp://a.example/",
            "#extvlcopt--http-user-agent=App/7 (x, y)\n#EXTVLCOPT:http-referer= http://r.example/?a=b \nhttp://a.example/",
            "http://a.example/|User-Agent=App%2F7%20(x,%20y)&Referer=http%3A%2F%2Fr.example%2F?a=b",
            "http://a.example/ |user-agent=App/7 (x, y)&referer=http://r.example/?a=b",
            "#KODIPROP:inputstream.adaptive.stream_headers=User-Agent=App/7 (x, y)&Referer=http://r.example/?a%3Db\n"
                + "http://a.example/",
            "#EXTHTTP:{\"user-agent\":\"App/7 (x, y)\",\"Referer\":\"http://r.example/?a=b\"}\nhttp://a.example/",
            "#EXTINF:-1 user-agent=\"App/7 (x, y)\" http-referrer=\"http://r.example/?a=b\",One\nhttp://a.example/",
        ])
    func notations(text: String) throws {
        let entries = try entries("#EXTM3U\n\(text)\nhttp://b.example/\n")
        #expect(entries.map(\.url) == ["http://a.example/", "http://b.example/"])
        #expect(entries[0].options.fields == [.userAgent: "App/7 (x, y)", .referer: "http://r.example/?a=b"])
        #expect(entries[1].options.isEmpty)
    }

    @Test("B47: Options in PLS and XSPF are read")
    func otherKinds() throws {
        #expect(
            try entries("[playlist]\nFile1=http://a.example/|Origin=http://o.example", .pls)[0].options.fields
                == [.origin: "http://o.example"])
        let xspf = """
            <playlist xmlns:vlc="http://www.videolan.org/vlc/playlist/ns/0/"><trackList><track>
            <location>http://a.example/</location><extension application="http://www.videolan.org/vlc/playlist/0">
            <vlc:option>http-user-agent=App/7</vlc:option><vlc:option>network-caching=1000</vlc:option></extension>
            </track><track><location>http://b.example/</location></track></trackList></playlist>
            """
        let found = try entries(xspf, .xspf)
        #expect(found[0].options.fields == [.userAgent: "App/7"] && found[0].options.ignored == ["network-caching"])
        #expect(found[1].options.isEmpty)
    }

    @Test("B47: Options that are not applied are named, once each, and few of them")
    func ignored() throws {
        let text = """
            #EXTVLCOPT:network-caching=1000
            #EXTVLCOPT:network-caching=2000
            #KODIPROP:inputstream=inputstream.ffmpegdirect
            #EXTVLCOPT:http-user-agent=
            http://a.example/|Cookie=a%3Db&User-Agent=a%0D%0AX-Evil:%201
            """
        let options = try entries(text)[0].options
        #expect(options.fields.isEmpty)
        #expect(
            EntryOptions.ignored(in: [options, options])
                == ["Cookie", "User-Agent", "network-caching", "inputstream", "http-user-agent"])
        let many = (0..<100).map { "#EXTVLCOPT:option\($0)=\(String(repeating: "x", count: 100))" }
        #expect(try entries(many.joined(separator: "\n") + "\nhttp://a.example/")[0].options.ignored.count == 16)
        let long = String(repeating: "x", count: 2_000)
        #expect(try entries("#EXTVLCOPT:http-user-agent=\(long)\nhttp://a.example/")[0].options.fields.isEmpty)
    }

    @Test(
        "A bar that no options follow belongs to the address",
        arguments: [
            "http://a.example/x|y", "http://a.example/?q=a|b", "song|User-Agent=x.mp3", "http://a.example/",
            "http://a.example/?a=1|b=2&c=3",
        ])
    func bars(address: String) {
        let (found, options) = EntryOptions.split(address)
        #expect(found == address && options.isEmpty)
    }

    @Test(
        "A header that is not applied is cut off the address", arguments: ["Cookie=a", "X-Key=1&b=2", "verifypeer=0"])
    func otherHeaders(text: String) {
        let (found, options) = EntryOptions.split("http://a.example/|\(text)")
        #expect(found == "http://a.example/" && options.fields.isEmpty && !options.ignored.isEmpty)
    }

    @Test(
        "The title begins after the first comma outside quotes",
        arguments: [
            ("-1 tvg-name=\"A, B\" group-title=\"x,y\",One, two", "One, two"), ("215,12\" Mix", "12\" Mix"),
            ("-1 tvg-name=\"open,Title", "Title"), ("-1 , One", "One"), ("-1,", nil), ("-1", nil),
        ] as [(String, String?)])
    func titles(text: String, title: String?) throws {
        #expect(try entries("#EXTINF:\(text)\nhttp://a.example/")[0].title == title)
    }
}
