// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

@Suite struct FilePlaylistTests {
    private func locations(_ text: String, _ kind: PlaylistKind = .m3u) -> [FilePlaylist.Location] {
        FilePlaylist(Array(text.utf8), kind: kind).entries.map(\.location)
    }

    @Test("Names are taken literally, except in file URLs and in XSPF") func names() {
        #expect(locations("a b%20.mp3\r\n# note\n/abs/x.mp3") == [.path("a b%20.mp3"), .path("/abs/x.mp3")])
        #expect(
            locations("file:///a%20b.mp3\nfile://host/c.mp3\nFILE:/d.mp3") == [
                .path("/a b.mp3"), .path("/c.mp3"), .path("/d.mp3"),
            ])
        #expect(
            locations("<playlist><track><location>a%20b.mp3</location></track></playlist>", .xspf) == [.path("a b.mp3")]
        )
    }

    @Test("A percent sign without two hexadecimal digits after it stands for itself") func percentSigns() {
        for name in ["100%+Fun.mp3", "100%-0.mp3", "100%-1.mp3", "5% off.mp3", "%", "%4", "%é0.mp3", "%g1"] {
            #expect(locations("file:/\(name)") == [.path("/\(name)")])
        }
        #expect(locations("file:/%2B%2b%25.mp3") == [.path("/++%.mp3")])
    }

    @Test("Addresses are distinguished from names that contain a colon") func addresses() {
        #expect(
            locations("http://x/y\nmms://z\nSong: the song.mp3\nhttp: a song.mp3") == [
                .address("http://x/y"), .address("mms://z"), .path("Song: the song.mp3"), .path("http: a song.mp3"),
            ])
    }

    @Test("B48: Lists on disk have quotes around places, HTML in addresses and names that begin like tags, too")
    func oddPlaces() {
        #expect(
            locations(
                "[playlist]\nFile1=\"a b.mp3\"\nFile2='http://a.example/?a&amp;b'\nFile3=icy://b.example/\n", .pls)
                == [
                    .path("a b.mp3"), .address("http://a.example/?a&b"), .address("http://b.example/"),
                ])
        #expect(
            locations("<3 song.mp3\nR&amp;B.mp3\n\"quoted\"\n") == [
                .path("<3 song.mp3"), .path("R&amp;B.mp3"), .path("\"quoted\""),
            ])
    }

    @Test("UTF-16 without a mark is read, and a byte of Latin-1 does not change the rest of the list")
    func charsets() {
        let wide = Array("x.mp3\nКино.mp3\n".utf16).flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
        #expect(FilePlaylist(wide, kind: .m3u).entries.map(\.location) == [.path("x.mp3"), .path("Кино.mp3")])
        let mixed = Array("Кино.mp3\nCaf".utf8) + [0xe9] + Array(".mp3\n".utf8)
        #expect(FilePlaylist(mixed, kind: .m3u).entries.map(\.location) == [.path("Кино.mp3"), .path("Café.mp3")])
    }

    @Test("Backslashes in lists from Windows separate folders") func backslashes() {
        #expect(locations("album\\song.mp3\nx/y\\z.mp3") == [.path("album/song.mp3"), .path("x/y\\z.mp3")])
    }

    @Test("An entry may occur twice, a title belongs to one entry, and an empty list has no entries")
    func repeatedEntries() {
        let list = FilePlaylist(Array("#EXTINF:1,One\na.mp3\na.mp3\n".utf8), kind: .m3u)
        #expect(
            list.entries == [
                .init(location: .path("a.mp3"), title: "One", length: .seconds(1)), .init(location: .path("a.mp3")),
            ])
        #expect(locations("") == [] && locations("#EXTM3U\n#EXT-X-VERSION:3\na.ts\n") == [])
    }
}
