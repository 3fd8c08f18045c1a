// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

/// What a media playlist says about its segments.
///
/// The lists are our own. They have the features of the tests of four other parsers, and the results agree, except:
///
/// | other parser | it | Aircheck |
/// |---|---|---|
/// | hls.js | takes the whole seconds of a decimal target duration | takes the decimals |
/// | hls.js | believes an EXTINF of a million seconds | a day at most |
/// | hls.js | computes the dates of the other segments | passes each date on as its text |
/// | hls.js, media3 | refuse a name that is defined twice | the first definition counts |
/// | hls.js | decrypts AES-256 | refuses it by name |
/// | hls.js, gohlslib | number the segments behind EXT-X-SKIP | ignores the tag: it never asks for such a list |
/// | hls.js, media3, gohlslib | read parts, hints and reports of low latency | ignores them |
/// | media3 | continues a range without an offset in another resource | begins at the first byte |
/// | media3 | takes EXT-X-BYTERANGE before EXT-X-MAP as that of the map | it is the segment's, as in RFC 8216 |
/// | media3 | refuses a list with an encrypted map without an IV | refuses the segments with that map, by name |
/// | media3 | refuses a date range whose attributes change | takes the newer attributes, but the first dates |
/// | media3 | takes a key of any scheme | refuses segments whose key is not on the web, by name |
/// | media3 | makes a map for lists of I-frames | never asks for such a list |
/// | streamlink | keeps date ranges without an id | leaves them out |
/// | gohlslib | refuses a segment without EXTINF | takes the target duration for its duration |
struct HLSMediaTests {
    @Test("Segments are numbered from the media sequence number, wherever in the list that stands")
    func numbers() throws {
        let first = try HLSText.media("#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:1,\na\n#EXTINF:1,\nb\n")
        let last = try HLSText.media("#EXTM3U\n#EXTINF:1,\na\n#EXTINF:1,\nb\n#EXT-X-MEDIA-SEQUENCE: 7 \n")
        #expect(first == last && first.segments.map(\.number) == [7, 8] && first.mediaSequence == 7)
        #expect(try HLSText.media("#EXTINF:1,\na\n#EXTINF:1,\nb").segments.map(\.number) == [0, 1])
        let greatest = try HLSText.media("#EXTINF:1,\na\n#EXTINF:1,\nb\n#EXT-X-MEDIA-SEQUENCE:4611686018427387000")
        #expect(greatest.segments.map(\.number) == [4_611_686_018_427_387_000, 4_611_686_018_427_387_001])
    }

    @Test(
        "A sequence number that cannot be read is a problem with a name",
        arguments: ["x", "", "1.5", "9223372036854775807", "99999999999999999999999999999999999999999", "0x10"])
    func unreadableNumber(_ number: String) throws {
        for tag in ["EXT-X-MEDIA-SEQUENCE", "EXT-X-DISCONTINUITY-SEQUENCE"] {
            #expect(throws: HLSProblem.malformed("#\(tag):\(number)")) {
                try HLSText.media("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#\(tag):\(number)\n#EXTINF:1,\na\n")
            }
        }
    }

    @Test(
        "A duration is a number of seconds in any notation; any other is that of the target",
        arguments: [
            ("#EXTINF:6.4,", 6_400), ("#EXTINF:6", 6_000), ("#EXTINF: 11.32,", 11_320), ("#EXTINF:.36,x", 360),
            ("#EXTINF:2.002,", 2_002), ("#EXTINF:0,", 0), ("#EXTINF:1000000,", 86_400_000),
            ("#EXTINF:1e300,", 86_400_000),
            ("#EXTINF:-1,", 9_000), ("#EXTINF:nan,", 9_000), ("#EXTINF:,", 9_000), ("#EXTINF:", 9_000),
            ("#EXTINF", 9_000),
            ("#EXTINF:six,", 9_000), ("#EXT-X-GAP", 9_000), ("#EXTINF:-inf,", 9_000), ("#EXTINF:inf,", 86_400_000),
        ])
    func durations(_ line: String, milliseconds: Int) throws {
        let list = try HLSText.media("#EXTM3U\n#EXT-X-TARGETDURATION:9\n\(line)\n1.ts\n")
        #expect(list.segments.map(\.duration) == [.milliseconds(milliseconds)])
    }

    @Test(
        "A target duration is between one second and two minutes; a missing one is that of the longest segment",
        arguments: [
            ("#EXT-X-TARGETDURATION:6", 6_000), ("#EXT-X-TARGETDURATION:2.5", 2_500),
            ("#EXT-X-TARGETDURATION:0", 1_000),
            ("#EXT-X-TARGETDURATION:1000000", 120_000), ("#EXT-X-TARGETDURATION:-3", 4_000),
            ("#EXT-X-TARGETDURATION:x", 4_000), ("", 4_000),
        ])
    func targetDuration(_ line: String, milliseconds: Int) throws {
        let list = try HLSText.media("#EXTM3U\n\(line)\n#EXTINF:3,\na\n#EXTINF:4,\nb\n")
        #expect(list.targetDuration == .milliseconds(milliseconds))
    }

    @Test("What stands between a segment's tags and its address, and in which order, makes no difference")
    func order() throws {
        let tags = [
            "#EXTINF:5,Title", "#EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:04:05Z", "#EXT-X-BYTERANGE:10@5",
            "#EXT-X-DISCONTINUITY", "#EXT-X-GAP", "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"", "#EXT-X-MAP:URI=\"m.mp4\"",
        ]
        var generator = SplitMix64(seed: 430)
        // The map is encrypted only if the key stands before it.
        let first = try #require(try HLSText.segment(tags.joined(separator: "\n")))
        for _ in 0..<20 {
            let lines = (tags.dropLast().shuffled(using: &generator) + tags.suffix(1))
                .flatMap { [$0, "", "# a remark", "#EXT-X-UNKNOWN:1", " "] }
            #expect(try HLSText.segment(lines.joined(separator: "\r\n")) == first)
        }
        #expect(first.isGap && first.isDiscontinuous && first.info == "Title" && first.date == "2026-01-02T03:04:05Z")
    }

    @Test("What is said of one segment does not apply to the next")
    func onceOnly() throws {
        let list = try HLSText.media(
            """
            #EXTM3U
            #EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:04:05Z
            #EXT-X-DISCONTINUITY
            #EXT-X-GAP
            #EXT-X-BYTERANGE:10@5
            #EXTINF:5,Title
            a
            b
            """)
        let next = try #require(list.segments.last)
        #expect(next.date == nil && next.info == nil && next.range == nil && !next.isGap && !next.isDiscontinuous)
        #expect(next.number == 1 && next.discontinuity == 1 && next.duration == list.targetDuration)
    }

    @Test("Discontinuities are counted from the discontinuity sequence number, also before the first segment")
    func discontinuities() throws {
        let list = try HLSText.media(
            """
            #EXTM3U
            #EXT-X-DISCONTINUITY-SEQUENCE:20\u{20}
            #EXT-X-DISCONTINUITY
            #EXTINF:5,
            a
            #EXTINF:5,
            b
            #EXT-X-DISCONTINUITY
            #EXT-X-DISCONTINUITY
            #EXTINF:5,
            c
            """)
        #expect(list.segments.map(\.discontinuity) == [21, 21, 23] && list.discontinuitySequence == 20)
        #expect(list.segments.map(\.isDiscontinuous) == [true, false, true])
    }

    @Test("A range without an offset continues the range before, in the same resource only")
    func ranges() throws {
        let list = try HLSText.media(
            """
            #EXTM3U
            #EXT-X-MAP:URI="a.mp4",BYTERANGE="700@20"
            #EXTINF:5,
            #EXT-X-BYTERANGE:100
            a.mp4
            #EXT-X-BYTERANGE:200
            #EXTINF:5,
            a.mp4
            #EXT-X-BYTERANGE:50@5000
            #EXTINF:5,
            a.mp4
            #EXTINF:5,
            #EXT-X-BYTERANGE:60
            b.mp4
            #EXTINF:5,
            c.mp4
            #EXTINF:5,
            #EXT-X-BYTERANGE:60
            c.mp4
            """)
        let ranges = list.segments.map { $0.range.map { [$0.offset, $0.length] } }
        #expect(ranges == [[720, 100], [820, 200], [5000, 50], [0, 60], nil, [0, 60]])
        #expect(list.segments.allSatisfy { $0.map?.range?.offset == 20 && $0.map?.range?.length == 700 })
    }

    @Test(
        "A range that cannot be read is a problem with a name",
        arguments: ["", "x", "0@5", "-1@5", "5@-1", "5@x", "4611686018427387903@4611686018427387904", "5@5@5"])
    func unreadableRange(_ range: String) {
        #expect(throws: HLSProblem.malformed("#EXT-X-BYTERANGE:\(range)")) {
            try HLSText.segment("#EXTINF:6,\n#EXT-X-BYTERANGE:\(range)")
        }
    }

    @Test("A range never ends beyond 64 bits")
    func rangeOverflow() {
        let lines = "#EXTINF:6,\n#EXT-X-BYTERANGE:4611686018427387903@4611686018427387903\na\n"
        #expect(throws: HLSProblem.malformed("#EXT-X-BYTERANGE:4611686018427387903")) {
            try HLSText.media(lines + "#EXT-X-BYTERANGE:4611686018427387903\na\n")
        }
    }

    @Test("A list says whether it has ended, and of which kind it is")
    func ending() throws {
        let live = try HLSText.media("#EXTM3U\n#EXT-X-TARGETDURATION:6\n")
        #expect(!live.isEnded && live.kind == nil && live.segments.isEmpty)
        let vod = try HLSText.media("#EXTM3U\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-ENDLIST\n#EXTINF:1,\na")
        #expect(vod.isEnded && vod.kind == .vod && vod.segments.count == 1)
        #expect(try HLSText.media("#EXTM3U\n#EXT-X-PLAYLIST-TYPE:EVENT\n#EXTINF:1\na").kind == .event)
    }

    @Test("Lines end with LF, CR or both, and a byte order mark, blanks and a cut last line do no harm")
    func lines() throws {
        let text =
            "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:3\n#EXTINF:4, A title \nseg 1.ts\t\n\n#EXTINF:4,\nseg2.ts\n#EXTINF:4,"
        let list = try HLSText.media(text)
        #expect(list.segments.map(\.url) == ["https://a.example/x/seg%201.ts", "https://a.example/x/seg2.ts"])
        #expect(list.segments.map(\.info) == ["A title", nil])
        for end in ["\r\n", "\r", "\n\n", " \r\n"] {
            #expect(try HLSText.media("\u{feff}" + text.replacing("\n", with: end)) == list)
        }
    }

    @Test("A title in an old charset is read as Windows-1252, and one in UTF-8 as such")
    func charsets() throws {
        for title in [Array("Müller".utf8), [0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72]] {
            let body = Array("#EXTM3U\n#EXTINF:1,".utf8) + title + Array("\na\n".utf8)
            guard case .media(let list) = try HLSPlaylist(body, base: "http://a.example/") else { return }
            #expect(list.segments.map(\.info) == ["Müller"])
        }
    }

    @Test("Date ranges keep what they state; those with the same id are one")
    func dateRanges() throws {
        let list = try HLSText.media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXT-X-DATERANGE:ID="ad",CLASS="x.spot",START-DATE="2026-01-02T03:04:05Z",PLANNED-DURATION=30,X-A="1", X-B=2
            #EXT-X-DATERANGE:X-CUSTOM="without an id"
            #EXT-X-DATERANGE:SCTE35-OUT=0xFC002F,ID="cue",START-DATE="invalid"X-LATE="a forgotten comma"
            #EXTINF:6,
            a
            #EXT-X-DATERANGE:ID="ad",START-DATE="2027-01-01T00:00:00Z",END-DATE="2026-01-02T03:04:30Z",DURATION=25.5,X-B=3
            #EXT-X-DATERANGE:ID="cue",SCTE35-IN=0xFC002F
            """)
        #expect(list.dateRanges.map(\.id) == ["ad", "cue"])
        let advert = list.dateRanges[0]
        #expect(advert.category == "x.spot" && advert.start == "2026-01-02T03:04:05Z")
        #expect(advert.end == "2026-01-02T03:04:30Z" && advert.duration == .milliseconds(25_500))
        #expect(advert.plannedDuration == .seconds(30) && !advert.endsOnNext)
        #expect(advert.attributes == ["X-A": "1", "X-B": "3"] && !advert.beginsBreak && !advert.endsBreak)
        #expect(list.dateRanges[1].beginsBreak && list.dateRanges[1].endsBreak)
        #expect(list.dateRanges[1].start == "invalid")
        #expect(list.dateRanges[1].attributes == ["X-LATE": "a forgotten comma"])
    }

    @Test("The tags of low latency are ignored")
    func lowLatency() throws {
        let list = try HLSText.media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=3
            #EXT-X-PART-INF:PART-TARGET=1
            #EXT-X-MEDIA-SEQUENCE:10
            #EXTINF:4,
            10.mp4
            #EXT-X-PART:DURATION=2,URI="11.1.mp4",BYTERANGE="5@7"
            #EXT-X-PART:DURATION=2,URI="11.2.mp4",GAP=YES
            #EXTINF:4,
            #EXT-X-BITRATE:96
            11.mp4
            #EXT-X-PART:DURATION=2,URI="12.1.mp4"
            #EXT-X-PRELOAD-HINT:TYPE=PART,URI="12.2.mp4"
            #EXT-X-RENDITION-REPORT:URI="../b.m3u8",LAST-MSN=11
            """)
        #expect(list.segments.map(\.number) == [10, 11] && list.segments.allSatisfy { !$0.isGap && $0.range == nil })
    }
}
