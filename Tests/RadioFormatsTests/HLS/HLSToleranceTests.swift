// SPDX-License-Identifier: MIT

import FuzzTargets
import RadioFormats
import Testing

/// Lists that other parsers refuse, or of which they discard something.
///
/// The lists are our own. They have the features of media3's tests of interstitials and low latency, of streamlink's
/// tests of its parser, and of the inputs on which gohlslib once failed. The differences, beside those of
/// ``HLSMediaTests``:
///
/// | other parser | it | Aircheck |
/// |---|---|---|
/// | media3 | keeps the date ranges of interstitials alone | keeps all with an id, also without a class or a start |
/// | media3 | refuses a list with an interstitial without an id | leaves the date range out |
/// | media3 | reads cues, snaps and restrictions, and leaves out unknown ones | keeps the texts of attributes with X- |
/// | media3 | leaves out an interstitial with two addresses, or none | keeps it: nothing is fetched from there |
/// | media3 | fills EXT-X-SKIP from the list before | ignores the tag: it never asks for such a list |
/// | streamlink | discards all attributes of a tag if one is malformed | takes those that can be read |
/// | streamlink | refuses blanks around = | accepts them |
/// | streamlink | takes 0 for a duration that cannot be read | takes the target duration |
/// | streamlink | ignores a range that cannot be read | refuses the list, by name |
/// | streamlink | rounds rates, translates languages | keeps both as they are |
/// | gohlslib | refuses malformed versions, types, starts, dates and parts | ignores what it cannot read |
/// | gohlslib | refuses a list without #EXTM3U, or without segments | reads it |
/// | gohlslib | refuses variants without a rate, renditions without a group | takes the former, not the latter |
/// | gohlslib | refuses an unknown encryption for the whole list | for the segments that have it, by name |
struct HLSToleranceTests {
    @Test(
        "Of a tag's attributes, those count that can be read",
        arguments: [
            ("X-A=VALUE", ["X-A": "VALUE"]), ("X-A=<@_@>", ["X-A": "<@_@>"]), ("X-A=-123.456", ["X-A": "-123.456"]),
            ("X-A = 1 , X-B=\"2\", X-C=3 ", ["X-A": "1", "X-B": "2", "X-C": "3"]), ("X-A=\"\"", ["X-A": ""]),
            ("X-A=", ["X-A": ""]), ("X-A=\"", ["X-A": ""]), ("X-A=,X-B=1", ["X-A": "", "X-B": "1"]),
            ("X-A=\"one\"two\",X-B=1", ["X-A": "one", "X-B": "1"]), ("nothing,X-A=1", ["X-A": "1"]),
            ("X-A=\"a, b=c\",X-B=0XBEEF", ["X-A": "a, b=c", "X-B": "0XBEEF"]), ("x-a=1,?=2,=3", [:]),
            ("X-A=\"1\"X-B=2", ["X-A": "1", "X-B": "2"]), ("X-A=1,X-A=2", ["X-A": "2"]),
        ])
    func attributes(_ text: String, expected: [String: String]) throws {
        let list = try HLSText.media("#EXT-X-TARGETDURATION:6\n#EXT-X-DATERANGE:ID=\"i\",\(text)\n")
        #expect(list.dateRanges.map(\.attributes) == [expected])
    }

    @Test("The first of several vectors counts, and blanks between attributes make no difference")
    func vectors() throws {
        let keys = try HLSText.media(
            """
            #EXTM3U
            #EXT-X-KEY:METHOD=AES-128,KEYFORMAT="identity", IV=0x0A,URI="k",IV=0x0B
            #EXTINF:4,
            1
            """
        ).segments.map(\.key)
        let vector = [UInt8](repeating: 0, count: 15) + [0x0A]
        #expect(keys == [.aes128(url: "https://a.example/x/k", vector: vector)])
    }

    @Test("Date ranges of interstitials are kept as any other, with their texts as written")
    func interstitials() throws {
        let list = try HLSText.media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXTINF:6,
            1
            #EXT-X-DATERANGE:ID="1",CLASS="com.apple.hls.interstitial",X-ASSET-URI="a.m3u8",X-ASSET-LIST="b.json"
            #EXT-X-DATERANGE:ID="2",START-DATE="2026-01-02T03:04:05Z",CUE=" PRE ",X-RESTRICT="SKIP , FLY", X-SNAP="IN"
            #EXT-X-DATERANGE:CLASS="com.apple.hls.interstitial",START-DATE="2026-01-02T03:04:05Z"
            #EXT-X-ENDLIST
            #EXT-X-DATERANGE:ID="2",END-DATE="2026-01-02T03:04:35Z",X-PLAYOUT-LIMIT=24.953,X-RESTRICT="SKIP , FLY"
            """)
        #expect(list.dateRanges.map(\.id) == ["1", "2"] && list.dateRanges[0].start == nil)
        #expect(list.dateRanges[0].attributes == ["X-ASSET-URI": "a.m3u8", "X-ASSET-LIST": "b.json"])
        let second = list.dateRanges[1]
        #expect(second.category == nil && second.start == "2026-01-02T03:04:05Z")
        #expect(second.end == "2026-01-02T03:04:35Z")
        #expect(
            second.attributes == ["X-RESTRICT": "SKIP , FLY", "X-SNAP": "IN", "X-PLAYOUT-LIMIT": "24.953"])
    }

    @Test("A list that has only parts of a segment is empty, and what is skipped is not numbered")
    func parts() throws {
        let parts = """
            #EXT-X-KEY:METHOD=SAMPLE-AES,KEYFORMAT="com.example",URI="data:text/plain;base64,AA"
            #EXT-X-PART:DURATION=2,URI="267.1.ts", BYTERANGE="1000@1234"
            #EXT-X-PRELOAD-HINT:TYPE=PART,URI="267.2.ts,BYTERANGE-START=0"
            #EXT-X-RENDITION-REPORT:URI="/b.m3u8"
            """
        let head = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:266\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n"
        #expect(try HLSText.media(head + parts).segments.isEmpty)
        let list = try HLSText.media(head + "#EXTINF:4,\n266.ts\n" + parts)
        #expect(list.segments.map(\.number) == [266] && list.segments.map(\.key) == [nil])
    }

    private static let tags = [
        "EXTINF", "EXT-X-VERSION", "EXT-X-TARGETDURATION", "EXT-X-MEDIA-SEQUENCE", "EXT-X-DISCONTINUITY-SEQUENCE",
        "EXT-X-PLAYLIST-TYPE", "EXT-X-START", "EXT-X-SERVER-CONTROL", "EXT-X-PART-INF", "EXT-X-MAP", "EXT-X-KEY",
        "EXT-X-SKIP", "EXT-X-DISCONTINUITY", "EXT-X-GAP", "EXT-X-PROGRAM-DATE-TIME", "EXT-X-BITRATE",
        "EXT-X-BYTERANGE", "EXT-X-PART", "EXT-X-PRELOAD-HINT", "EXT-X-RENDITION-REPORT", "EXT-X-DATERANGE",
        "EXT-X-DEFINE", "EXT-X-ALLOW-CACHE", "EXT-X-ENDLIST", "EXT-X-STREAM-INF", "EXT-X-MEDIA",
    ]
    private static let names = [
        "URI", "BYTERANGE", "METHOD", "IV", "DURATION", "TYPE", "GROUP-ID", "BANDWIDTH", "AVERAGE-BANDWIDTH", "CODECS",
        "TIME-OFFSET", "SKIPPED-SEGMENTS", "ID", "NAME", "VALUE", "LAST-MSN", "FRAME-RATE",
    ]

    @Test("A tag with any malformed value is read safely, wherever it stands", arguments: tags)
    func malformedValues(_ tag: String) {
        let attributes = Self.names.flatMap { ["\($0)", "\($0)=", "\($0)=A", "\($0)=\"", "\($0)=00,\($0)"] }
        for value in ["", ":", ":0", ":A", ":=", ":-", ":,", ": "] + attributes.map({ ":\($0)" }) {
            let line = "#\(tag)\(value)"
            for text in [
                line, "#EXTM3U\n\(line)", "#EXTM3U\n\(line)\n0", "#EXTM3U\n0\n\(line)\n0\n",
                "#EXTM3U\n#EXTINF:0\n\(line)", "#EXTM3U\n\(line)\n#EXTINF:\n0\n",
                "#EXTM3U\n#EXT-X-STREAM-INF:\n0\n\(line)", "#EXTM3U\n\(line)\n#EXT-X-STREAM-INF:=\n0\n",
            ] {
                let complaint = FuzzTarget.hls.complaint(about: Array(text.utf8))
                #expect(complaint == nil, "\(text)")
            }
        }
    }

    @Test(
        "What cannot be read, and decides nothing, is as if it were not there",
        arguments: [
            "VERSION:", "VERSION:100", "VERSION:A", "PLAYLIST-TYPE:", "PLAYLIST-TYPE:LIVE", "START:",
            "START:TIME-OFFSET=A",
            "SERVER-CONTROL:0", "SERVER-CONTROL:CAN-SKIP-UNTIL=", "PART-INF:PART-TARGET=A", "MAP:", "MAP:0",
            "MAP:BYTERANGE=", "SKIP:SKIPPED-SEGMENTS=", "PART:DURATION=", "PART:BYTERANGE=", "PRELOAD-HINT:TYPE=",
            "RENDITION-REPORT:LAST-MSN=A", "PROGRAM-DATE-TIME:", "BITRATE:", "DATERANGE:", "DEFINE:",
            "TARGETDURATION:A",
        ])
    func ignored(_ tag: String) throws {
        let plain = "#EXTINF:4,\n1\n#EXTINF:5,\n2\n"
        let list = try HLSText.media(plain)
        #expect(try HLSText.media("#EXT-X-\(tag)\n" + plain) == list)
        #expect(try HLSText.media(plain + "#EXT-X-\(tag)\n") == list)
    }

    @Test("An encryption that is not known is that of the segments behind it")
    func unknownEncryption() throws {
        let list = try HLSText.media("#EXTINF:4,\n1\n#EXT-X-KEY:0\n2\n#EXT-X-KEY:METHOD=0\n3\n")
        #expect(list.segments.map(\.key) == [nil, .encrypted("an unknown method"), .encrypted("0")])
    }

    @Test("A variant needs nothing but an address, and a rendition without a group is none")
    func variants() throws {
        for media in ["", "TYPE=AUDIO", "0", "TYPE=", "TYPE=CLOSED-CAPTIONS,GROUP-ID=0,URI=", "GROUP-ID=0,URI=a"] {
            let master = try HLSText.master("#EXT-X-STREAM-INF:\nv.m3u8\n#EXT-X-MEDIA:\(media)\n")
            let rates = master.variants.map(\.rate)
            #expect(master.audio.isEmpty && rates == [nil] && master.choose(.best)?.url == "https://a.example/x/v.m3u8")
        }
    }
}
