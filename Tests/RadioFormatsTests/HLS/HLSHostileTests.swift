// SPDX-License-Identifier: MIT

import FuzzTargets
import RadioFormats
import Testing

/// Playlists that are cut, damaged, huge, or made to be expensive.
struct HLSHostileTests {
    static let media = """
        \u{feff}#EXTM3U
        #EXT-X-TARGETDURATION:6
        #EXT-X-MEDIA-SEQUENCE:17
        #EXT-X-DISCONTINUITY-SEQUENCE:2
        #EXT-X-DEFINE:NAME="n",VALUE="v/w"
        #EXT-X-DEFINE:QUERYPARAM="t"
        #EXT-X-MAP:URI="{$n}/init.mp4",BYTERANGE="700@0"
        #EXT-X-KEY:METHOD=AES-128,URI="k?t={$t}",IV=0x1F
        #EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:04:05.678Z
        #EXT-X-DATERANGE:ID="a",START-DATE="2026-01-02T03:04:05Z",DURATION=5.5,X-B="{$n}",SCTE35-OUT=0xFC
        #EXTINF:6.006,title="Süß",artist="B",url="song_spot=\\"M\\" amgArtworkURL=\\"http://i.example/1\\""
        #EXT-X-BYTERANGE:1000@700
        {$n}/1.mp4
        #EXT-X-DISCONTINUITY
        #EXT-X-KEY:METHOD=NONE
        #EXTINF:5,Artist - Title
        #EXT-X-BYTERANGE:1000
        {$n}/1.mp4
        #EXT-X-GAP
        #EXTINF:5,
        ../2.mp4?a=b
        #EXT-X-ENDLIST
        """
    static let master = """
        #EXTM3U
        #EXT-X-DEFINE:NAME="g",VALUE="group"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="{$g}",NAME="A",DEFAULT=YES,CHANNELS="2",URI="a.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS="avc1.4d400d,mp4a.40.2",RESOLUTION=1x1,AUDIO="{$g}"
        v.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=96000,AVERAGE-BANDWIDTH=90000,CODECS="mp4a.40.2"
        http://b.example/low.m3u8
        """

    private func check(_ body: [UInt8]) {
        let complaint = FuzzTarget.hls.complaint(about: body)
        #expect(complaint == nil, "\(String(decoding: body, as: UTF8.self))")
    }

    @Test("A list that is cut at any byte is read safely", arguments: [Self.media, Self.master])
    func truncation(_ text: String) {
        let body = Array(text.utf8)
        for count in 0...body.count { check(Array(body[..<count])) }
    }

    @Test("A list with any byte changed, and random lines, are read safely", arguments: [Self.media, Self.master])
    func damage(_ text: String) {
        var generator = SplitMix64(seed: 431)
        let body = Array(text.utf8)
        for place in body.indices {
            var damaged = body
            damaged[place] = UInt8.random(in: 0...255, using: &generator)
            check(damaged)
        }
        let lines = (Self.media + "\n" + Self.master).split(separator: "\n")
        for _ in 0..<200 {
            let some = (0..<Int.random(in: 1...30, using: &generator)).map { _ in
                lines.randomElement(using: &generator) ?? ""
            }
            check(Array(some.joined(separator: "\n").utf8))
        }
    }

    @Test("C11: Each byte of a list is read a few times, whatever the list contains")
    func cost() throws {
        let units = [
            "#EXTINF:6,\n1.ts\n", "a\n", "\n", "#", "#EXT", "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n", "{$", "{$a}", "=",
            ",",
            "\"", "#EXT-X-DATERANGE:ID=\"a\",X-A=\"{$a}\"\n", "#EXTINF:1,", "#EXT-X-STREAM-INF:A=\"b\",\nv\n", ":",
            "\r",
            "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"{$a}{$a}\"\n", "../\n", "#EXT-X-MAP:URI=\"a\"\n", " ",
        ]
        for unit in units {
            for head in ["#EXTM3U\n#EXT-X-TARGETDURATION:6\n", "#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", ""] {
                let bytes = Array((head + String(repeating: unit, count: 20_000 / unit.utf8.count)).utf8)
                #expect(TextCost.hls(bytes) <= TextCost.most, "\(head) \(unit)")
            }
        }
    }

    @Test("Of 100,000 segments, the newest 20,000 are kept, with their numbers")
    func manySegments() throws {
        let text = "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:5\n" + (0..<100_000).map { "#EXTINF:6,\n\($0).ts\n" }.joined()
        let list = try HLSText.media(text)
        #expect(list.segments.count == MediaPlaylist.mostSegments && list.mediaSequence == 5)
        #expect(list.segments.first?.number == 80_005 && list.segments.last?.number == 100_004)
        #expect(list.segments.first?.url == "https://a.example/x/80000.ts")
        let body = Array(text.utf8)
        #expect(
            CountedBytes.cost(of: body) { _ = try? HLSPlaylist(reading: $0, base: "http://a.example/") }
                <= TextCost.most)
    }

    @Test("A list is refused if it is too long, or if its addresses would be")
    func largeLists() throws {
        let address = String(repeating: "a", count: 4_000)
        let lines = String(repeating: "#EXTINF:6,\n\(address)\n", count: 1_900)
        #expect(try HLSText.media(lines, base: "http://a.example/").segments.count == 1_900)
        let long = "http://a.example/\(address)/"
        for (text, base) in [
            (lines + lines, "http://a.example/"), (String(repeating: "#EXTINF:6,\n1\n", count: 10_000), long),
            (String(repeating: "#EXTINF:6,\n../1\n", count: 5_000), "http://a.example/\(address.prefix(3_000))/b/"),
        ] {
            #expect(throws: HLSProblem.tooLong) { try HLSText.media(text, base: base) }
        }
    }

    @Test("A range that is not kept is continued nevertheless")
    func droppedRanges() throws {
        let lines = String(repeating: "#EXT-X-BYTERANGE:10\n#EXTINF:6,\na\n", count: 30_000)
        let list = try HLSText.media("#EXT-X-MAP:URI=\"a\",BYTERANGE=\"7@0\"\n" + lines)
        #expect(list.segments.first?.range?.offset == 100_007 && list.segments.last?.range?.offset == 299_997)
    }

    @Test("Definitions that refer to one another make no text longer than an address")
    func definitions() throws {
        var text = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"v0\",VALUE=\"0123456789\"\n"
        for index in 1..<200 {
            let reference = "{$v\(index - 1)}"
            text += "#EXT-X-DEFINE:NAME=\"v\(index)\",VALUE=\"\(String(repeating: reference, count: 10))\"\n"
        }
        #expect(throws: HLSProblem.longAddress) { try HLSText.media(text + "#EXTINF:6,\n{$v50}{$v50}\n") }
        let range = "#EXT-X-DATERANGE:ID=\"a\",X-A=\"{$v50}{$v50}\"\n"
        let list = try HLSText.media(text + range + "#EXTINF:6,\n{$v1}\n")
        #expect(list.dateRanges.first?.attributes["X-A"]?.utf8.count == 1_024)
        // Beyond the budget, texts stay as they are, and a list of addresses is refused.
        let bomb = String(repeating: "#EXTINF:6,\n{$v2}{$v2}{$v2}\n", count: 40_000)
        #expect(throws: HLSProblem.tooLong) { try HLSText.media(text + bomb) }
    }

    @Test("The newest date ranges, and the first variants, are kept")
    func manyOthers() throws {
        let ranges = (0..<5_000).map { "#EXT-X-DATERANGE:ID=\"\($0)\"\n" }.joined()
        let list = try HLSText.media("#EXT-X-TARGETDURATION:6\n" + ranges)
        #expect(list.dateRanges.map(\.id) == (4_500..<5_000).map(String.init))
        let variants = (1...5_000).map { "#EXT-X-STREAM-INF:BANDWIDTH=\($0)\n\($0)\n" }.joined()
        #expect(try HLSText.master(variants).choose(.best)?.variant.bandwidth == MasterPlaylist.mostVariants)
    }
}
