// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

@Suite("Lengths in playlists, and lists that are a queue")
struct PlaylistLengthTests {
    private func lengths(_ text: String, _ kind: PlaylistKind) -> [Duration?] {
        FilePlaylist(Array(text.utf8), kind: kind).entries.map(\.length)
    }

    @Test("Each kind of playlist states lengths in its own way")
    func kinds() {
        let m3u =
            "#EXTINF:215,A\na\n#EXTINF:214.5 tvg-id=\"x\",B\nb\n#EXTINF:-1,C\nc\n#EXTINF:0,D\nd\ne\n#EXTINF:,F\nf\n"
        #expect(lengths(m3u, .m3u) == [.seconds(215), .milliseconds(214_500), nil, nil, nil, nil])
        let pls = "[playlist]\nFile1=a\nLength1=215\nFile2=b\nLength2=-1\nFile3=c\nLength3=1e5\nLength4=7\n"
        #expect(lengths(pls, .pls) == [.seconds(215), nil, nil])
        let xspf =
            "<playlist><duration>1</duration><track><location>a</location><duration> 215500 </duration></track>"
            + "<track><location>b</location><duration>x</duration></track><track><location>c</location></track></playlist>"
        #expect(lengths(xspf, .xspf) == [.milliseconds(215_500), nil, nil])
        let asx =
            "<asx><entry><ref href='http://a.example/a'/><duration value='01:02:03.5'/></entry>"
            + "<entry><ref href='http://a.example/b'/><duration value='2:03'/></entry></asx>"
        #expect(lengths(asx, .asx) == [.milliseconds(3_723_500), .seconds(123)])
    }

    @Test("A queue may be long and may name an item twice")
    func queue() throws {
        let text = (0..<500).map { "http://a.example/\($0 / 2).mp3\n" }.joined()
        let station = try Playlist(Array(text.utf8), kind: .m3u, base: "http://a.example/")
        let queue = try Playlist(Array(text.utf8), kind: .m3u, base: "http://a.example/", for: .queue)
        #expect(station.leftOut == 500 - 2 * Playlist.mostEntries + 1 && queue.leftOut == 0)
        let longest = Array(String(repeating: "a.mp3\n", count: 20_007).utf8)
        let many = try Playlist(longest, kind: .m3u, base: "http://a.example/", for: .queue)
        #expect(many.entries.count == 10_000 && many.leftOut == 10_007)
        #expect(station.entries.count == Playlist.mostEntries && queue.entries.count == 500)
        let long = Array(String(repeating: text, count: 10).utf8)
        #expect(throws: Playlist.Problem.tooLong) { try Playlist(long, kind: .m3u, base: "http://a.example/") }
        #expect(try Playlist(long, kind: .m3u, base: "http://a.example/", for: .queue).entries.count == 5_000)
    }
}
