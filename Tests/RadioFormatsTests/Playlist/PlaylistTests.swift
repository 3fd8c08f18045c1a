// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

struct PlaylistTests {
    private let base = "http://radio.example/lists/all.pls?x=1"

    private func urls(_ text: String, _ kind: PlaylistKind) throws -> [String] {
        try Playlist(Array(text.utf8), kind: kind, base: base).entries.map(\.url)
    }

    @Test("A PLS playlist is read") func pls() throws {
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

    @Test("An M3U playlist is read") func m3u() throws {
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

    @Test(
        "A31: Entries of one item, or of one title with counters, are addresses of one station",
        arguments: [
            ("File1=http://a/\nTitle1=(#1 - 23/500) One FM\nFile2=http://b/\nTitle2=(#2 - 7/500) One FM\n", .pls),
            ("File1=http://a/\nTitle1=One (#1): jazz\nFile2=http://b/\nTitle2=one  (#12): jazz\n", .pls),
            (
                "<track><location>mms://x/</location><location>http://a/</location><location>http://b/</location></track>",
                .xspf
            ),
            ("<entry><ref href='http://a/'/><ref href='http://b/'/></entry>", .asx),
        ] as [(String, PlaylistKind)])
    func statedMirrors(text: String, kind: PlaylistKind) throws {
        let entries = try Playlist(Array(text.utf8), kind: kind, base: base).entries
        #expect(entries.map(\.url) == ["http://a/", "http://b/"] && entries.map(\.mirrorOf) == [nil, 0])
    }

    @Test(
        "A31: Entries of which the list says nothing for certain are not called mirrors",
        arguments: [
            ("#EXTM3U\nhttp://a/\nhttp://b/\n", .m3u),
            ("#EXTINF:-1,One\nhttp://a/\n#EXTINF:-1,One\nhttp://b/\n", .m3u),
            ("File1=http://a/\nTitle1=One (rock)\nFile2=http://b/\nTitle2=One (jazz)\n", .pls),
            ("<track><location>http://a/</location></track><track><location>http://b/</location></track>", .xspf),
        ] as [(String, PlaylistKind)])
    func unstated(text: String, kind: PlaylistKind) throws {
        let entries = try Playlist(Array(text.utf8), kind: kind, base: base).entries
        #expect(entries.map(\.mirrorOf) == [nil, nil])
    }

    @Test("B32: Addresses in quotes are read, also with blanks inside the quotes")
    func quotedAddresses() throws {
        let text = """
            [playlist]
            File1="http://a.example/one"
            Title1="Heroes"
            File2= 'http://b.example/two'
            File3=" http://c.example/three "
            File4="http://d.example/four
            """
        let entries = try Playlist(Array(text.utf8), kind: .pls, base: base).entries
        #expect(
            entries.map(\.url).prefix(3) == ["http://a.example/one", "http://b.example/two", "http://c.example/three"])
        #expect(entries.first?.title == "\"Heroes\"")
        #expect(try urls("[Reference]\nRef1=\"http://a.example/x\"", .asx) == ["http://a.example/x"])
    }

    @Test("B32: An ASX entry may itself have an address, in quotes or not, in any case")
    func entriesWithAddresses() throws {
        let text = """
            <ASX VERSION="3.0"><TITLE>All</TITLE>
            <ENTRY HREF="http://a.example/one"><Title>One</Title></ENTRY>
            <entry href = http://b.example/two />
            <Entry><Ref Href='http://c.example/three'/></Entry></ASX>
            """
        let entries = try Playlist(Array(text.utf8), kind: .asx, base: base).entries
        #expect(
            entries == [
                Playlist.Entry(url: "http://a.example/one", title: "One"),
                Playlist.Entry(url: "http://b.example/two"), Playlist.Entry(url: "http://c.example/three"),
            ])
    }

    @Test("B32: UTF-16 with a byte order mark is recognised and read", arguments: [true, false])
    func wideText(isBigEndian: Bool) throws {
        func wide(_ text: String) -> [UInt8] {
            ("\u{feff}" + text).utf16.flatMap { unit in
                isBigEndian ? [UInt8(unit >> 8), UInt8(unit & 0xff)] : [UInt8(unit & 0xff), UInt8(unit >> 8)]
            }
        }
        let lists: [(PlaylistKind, String)] = [
            (.m3u, "#EXTM3U\r\n#EXTINF:-1,Кино\r\nhttp://a.example/live\r\n"),
            (.pls, "[playlist]\r\nFile1=http://a.example/live\r\nTitle1=Кино\r\n"),
            (.asx, "<asx><entry><title>Кино</title><ref href='http://a.example/live'/></entry></asx>"),
        ]
        for (kind, text) in lists {
            let body = wide(text)
            for type in [nil, "audio/mpeg", "audio/x-mpegurl"] {
                let recognizer = StreamRecognizer(contentType: type, url: nil)
                #expect(body.withUnsafeBytes { recognizer.guess($0, isComplete: true) } == .playlist(kind))
            }
            let entries = try Playlist(body, kind: kind, base: base).entries
            #expect(entries == [Playlist.Entry(url: "http://a.example/live", title: "Кино")])
            #expect(FilePlaylist(body, kind: kind).entries.map(\.title) == ["Кино"])
        }
    }

    @Test("A playlist in Latin-1 is read too") func latin1() throws {
        let body = Array("#EXTINF:-1,Caf".utf8) + [0xe9] + Array("\nhttp://a.example/\n".utf8)
        #expect(try Playlist(body, kind: .m3u, base: base).entries.first?.title == "Café")
    }

    @Test(
        "B48: The charset that a list's declaration states counts where its bytes are not UTF-8",
        arguments: [Array("é".utf8), [0xCA]])
    func statedCharset(title: [UInt8]) throws {
        let head = "<?xml version='1.0' encoding='windows-1251'?><playlist><trackList><track><title>"
        let rest = "</title><location>http://a.example/</location></track></trackList></playlist>"
        let body = Array(head.utf8) + title + Array(rest.utf8)
        let list = try Playlist(body, kind: .xspf, base: base) { bytes, charset in
            charset == .windows1251 ? String(decoding: bytes.map { $0 == 0xCA ? 0x4B : $0 }, as: UTF8.self) : nil
        }
        #expect(list.entries.map(\.title) == [title.count == 1 ? "K" : "é"])
    }

    @Test("Only web addresses in a playlist are followed") func webAddresses() throws {
        let text =
            "file:///etc/passwd\nftp://a/x\nC:\\x.mp3\nrtsp://a/\njavascript:x\nhttp:///x\nhttp://good.example/\n"
        #expect(try urls(text, .m3u) == ["http://good.example/"])
    }

    @Test("A30: The schemes that players write for HTTP are read as HTTP") func playersSchemes() throws {
        let text = "icy://a.example/live\nICYX://a.example:8000/x?y=1\nshout://b.example/\nshoutcast://c.example\n"
        #expect(
            try urls(text, .m3u) == [
                "http://a.example/live", "http://a.example:8000/x?y=1", "http://b.example/", "http://c.example",
            ])
    }

    @Test("HLS is no list of stations") func hls() {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n"
        #expect(throws: Playlist.Problem.isHLS) { try urls(text, .m3u) }
    }

    @Test("Limits on the addresses, the entries and the size of a playlist hold") func limits() throws {
        #expect(throws: Playlist.Problem.noEntries) { try urls("[playlist]\nNumberOfEntries=0", .pls) }
        #expect(throws: Playlist.Problem.noEntries) { try urls("", .m3u) }
        let long = "http://a.example/" + String(repeating: "x", count: Playlist.longestURL)
        #expect(try urls(long + "\nhttp://b.example/", .m3u) == ["http://b.example/"])
        let many = (0..<300).map { "http://a.example/\($0)" }.joined(separator: "\n")
        #expect(try urls(many, .m3u).count == Playlist.mostEntries)
        let tooLong = [UInt8](repeating: 0x0a, count: Playlist.longestBody + 1)
        #expect(throws: Playlist.Problem.tooLong) { try Playlist(tooLong, kind: .m3u, base: base) }
    }

    @Test("An XSPF playlist is read") func xspf() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- <track><location>http://comment.example/</location></track> -->
            <playlist version="1" xmlns="http://xspf.org/ns/0/" xml:base="http://base.example/dir/">
              <title>All of it</title>
              <location>http://self.example/list.xspf</location>
              <trackList>
                <track><location> http://a.example/live?x=1&amp;y=&#50; </location><title>One &lt;1&gt;</title></track>
                <track><title><![CDATA[Two & a half]]></title><location>two</location><location>/three</location>
                <track><location>http://c.example/</location></track>
              </trackList>
            </playlist>
            """
        let playlist = try Playlist(Array(text.utf8), kind: .xspf, base: base)
        #expect(
            playlist.entries == [
                Playlist.Entry(url: "http://a.example/live?x=1&y=2", title: "One <1>"),
                Playlist.Entry(url: "http://base.example/dir/two", title: "Two & a half"),
                Playlist.Entry(url: "http://base.example/three", title: "Two & a half", mirrorOf: 1),
                Playlist.Entry(url: "http://c.example/"),
            ])
    }

    @Test("An ASX playlist is read as it is written in practice") func asx() throws {
        let text = """
            \u{feff}<Asx Version = "3.0" >
            <TITLE>Radio</Title>
            <entry ClientSkip='no'><Title>One</title>
              <REF HREF="http://a.example/live?a=1&b=2&copy=3" /><ref href = 'b'/>
            </Entry>
            <EntryRef href="/more.asx"/>
            <ref href=http://c.example/x>
            <entry><title>Open<ref href="http://d.example/unclosed
            <ref/><moreinfo href="http://not.example/"/><ref href="mms://e.example/x"/>
            """
        let playlist = try Playlist(Array(text.utf8), kind: .asx, base: base)
        #expect(
            playlist.entries == [
                Playlist.Entry(url: "http://a.example/live?a=1&b=2&copy=3", title: "One"),
                Playlist.Entry(url: "http://radio.example/lists/b", title: "One", mirrorOf: 0),
                Playlist.Entry(url: "http://radio.example/more.asx"),
                Playlist.Entry(url: "http://c.example/x"),
                Playlist.Entry(url: "http://d.example/unclosed", title: "Open"),
            ])
    }

    @Test("An ASX playlist that is a list of lines is read") func asxLines() throws {
        let text = "[Reference]\r\nRef2=http://b.example/?MSWMExt=.asf\r\nREF1=live\r\n"
        #expect(try urls(text, .asx) == ["http://radio.example/lists/live", "http://b.example/?MSWMExt=.asf"])
    }

    @Test(
        "Entities of XML and HTML are decoded, and those that a document declares itself are not",
        arguments: [
            ("&amp;&#38;&#x26;", "&&&"), ("&nbsp;&#0;&#xD800;&#99999999;&", "&#0;&#xD800;&#99999999;&"),
            ("&lt;x&gt;&quot;&apos;", "<x>\"'"), ("a &amp b", "a &amp b"), ("&amp;amp;", "&"),
            ("<!DOCTYPE x [<!ENTITY y 'z'>]>&y;", "]>&y;"),
        ])
    func entities(text: String, expected: String) throws {
        let body = "<playlist><track><title>\(text)</title><location>http://a.example/</location></track></playlist>"
        #expect(try Playlist(Array(body.utf8), kind: .xspf, base: base).entries.first?.title == expected)
    }

    @Test("A repeated address counts once") func repeatedAddress() throws {
        #expect(try urls("live\n/b\n./live\n", .m3u).map { $0.suffix(4) } == ["live", "le/b"])
    }

    @Test(
        "A playlist that leads nowhere is refused with the reason",
        arguments: [
            ("mms://a.example/x\nrtsp://b.example/x\n", PlaylistKind.m3u, Playlist.Problem.noWebAddress(scheme: "mms")),
            ("[playlist]\nFile1=RTSP://a.example/\n", .pls, .noWebAddress(scheme: "rtsp")),
            ("<asx><entry><ref href='mms://a/'/></entry></asx>", .asx, .noWebAddress(scheme: "mms")),
            ("C:\\Music\\x.mp3\n", .m3u, .noEntries), ("http:///x\n", .m3u, .noEntries),
            ("abcdefghijklmnopqrstuvwxyz:x\n", .m3u, .noEntries), ("<asx/>", .asx, .noEntries), ("", .xspf, .noEntries),
            ("<playlist><location>http://a.example/</location></playlist>", .xspf, .noEntries),
            ("[Reference]\n", .asx, .noEntries),
        ])
    func uselessPlaylists(text: String, kind: PlaylistKind, problem: Playlist.Problem) {
        #expect(throws: problem) { try urls(text, kind) }
    }
}
