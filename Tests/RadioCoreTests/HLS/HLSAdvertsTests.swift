// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import TestSupport
import Testing

struct HLSAdvertsTests {
    private static let epoch = WallInstant(nanoseconds: 1_800_000_000_000_000_000)

    private static func at(_ seconds: Double) -> WallInstant { epoch + .milliseconds(Int64(seconds * 1_000)) }

    /// The date ranges of a list with these tags. `T+5` stands for the date five seconds after the epoch.
    private static func ranges(_ tags: String...) throws -> [DateRange] {
        let dated = tags.map { tag in
            tag.split(separator: "\"", omittingEmptySubsequences: false).map { part in
                part.hasPrefix("T+") ? date(Double(part.dropFirst(2)) ?? 0) : String(part)
            }.joined(separator: "\"")
        }
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n" + dated.map { "#EXT-X-DATERANGE:\($0)\n" }.joined()
        guard case .media(let list) = try HLSPlaylist(Array(text.utf8), base: "http://a.example/") else { return [] }
        return list.dateRanges
    }

    private static func date(_ seconds: Double) -> String { CivilTime(at(seconds), utcOffset: 0).rfc3339 }

    /// The spans of adverts within ten minutes, in seconds, as they are found by going from change to change.
    private static func spans(_ adverts: HLSAdverts) -> [String] {
        var (time, spans): (WallInstant, [String]) = (at(-1), [])
        for _ in 0..<100 {
            let source = adverts.source(at: time)
            guard let change = adverts.change(after: time) else { return spans + (source == nil ? [] : ["endless"]) }
            if let source {
                spans.append("\(source) \((time - epoch).wholeMilliseconds)-\((change - epoch).wholeMilliseconds)")
            }
            time = change
        }
        return ["too many changes"]
    }

    @Test(
        "A date range is an advert if SCTE-35 or its class says so",
        arguments: [
            (#"ID="a",START-DATE="T+5",DURATION=10,SCTE35-OUT=0xFC"#, ["splice 5000-15000"]),
            (#"ID="a",START-DATE="T+5",END-DATE="T+20",SCTE35-OUT=0xFC"#, ["splice 5000-20000"]),
            (#"ID="a",START-DATE="T+5",PLANNED-DURATION=10,SCTE35-OUT=0xFC"#, ["splice 5000-15000"]),
            (#"ID="a",START-DATE="T+5",PLANNED-DURATION=10,DURATION=7.5,SCTE35-OUT=0xFC"#, ["splice 5000-12500"]),
            (#"ID="a",START-DATE="T+5",SCTE35-OUT=0xFC"#, ["splice 5000-1805000"]),
            (#"ID="a",START-DATE="T+5",DURATION=10,SCTE35-IN=0xFC"#, []),
            (#"ID="a",START-DATE="T+5",DURATION=10,SCTE35-CMD=0xFC"#, []),
            (
                #"ID="a",START-DATE="T+5",DURATION=9,SCTE35-CMD=0xFC302F000000000000FFFFF014054800008F7FEFFE"#,
                ["splice 5000-14000"]
            ),
            (#"ID="a",START-DATE="T+5",DURATION=10,CLASS="com.example.ad""#, ["dateRange 5000-15000"]),
            (#"ID="a",START-DATE="T+5",DURATION=10,CLASS="stitched-Advert""#, ["dateRange 5000-15000"]),
            (#"ID="a",START-DATE="T+5",DURATION=10,CLASS="com.radio.adagio""#, []),
            (#"ID="a",START-DATE="T+5",DURATION=10,CLASS="com.apple.hls.interstitial""#, []),
            (#"ID="a",START-DATE="T+5",DURATION=0,SCTE35-OUT=0xFC"#, []),
            (#"ID="a",START-DATE="T+5",END-DATE="T+1",SCTE35-OUT=0xFC"#, []),
            (#"ID="a",START-DATE="some day",DURATION=10,SCTE35-OUT=0xFC"#, []),
            (#"ID="a",START-DATE="T+5",DURATION=1e300,SCTE35-OUT=0xFC"#, ["splice 5000-1805000"]),
        ])
    func kinds(_ tag: String, expected: [String]) throws {
        var adverts = HLSAdverts()
        adverts.take(try Self.ranges(tag))
        #expect(Self.spans(adverts) == expected)
    }

    @Test("A later list ends a range or says more of it, and each is there once")
    func updates() throws {
        var adverts = HLSAdverts()
        let out = #"ID="a",START-DATE="T+5",PLANNED-DURATION=60,SCTE35-OUT=0xFC"#
        adverts.take(try Self.ranges(out))
        #expect(Self.spans(adverts) == ["splice 5000-65000"])
        adverts.take(try Self.ranges(out, #"ID="a",START-DATE="T+5",DURATION=40,SCTE35-IN=0xFC"#))
        #expect(Self.spans(adverts) == ["splice 5000-45000"])
        // The tag leaves the list, another one has a new length, and comes back as it was.
        adverts.take(try Self.ranges(#"ID="a",DURATION=42"#))
        #expect(Self.spans(adverts) == ["splice 5000-47000"])
        adverts.take(try Self.ranges(out, #"ID="b",START-DATE="T+100",DURATION=5,CLASS="ads""#))
        #expect(Self.spans(adverts) == ["splice 5000-47000", "dateRange 100000-105000"])
        adverts.take([])
        #expect(Self.spans(adverts) == ["splice 5000-47000", "dateRange 100000-105000"])
    }

    @Test("Another range may end one: by SCTE-35, or as the next of its class")
    func others() throws {
        var adverts = HLSAdverts()
        adverts.take(
            try Self.ranges(
                #"ID="in",START-DATE="T+30",SCTE35-IN=0xFC"#,
                #"ID="out",START-DATE="T+5",PLANNED-DURATION=9,SCTE35-OUT=0xFC"#,
                #"ID="c",START-DATE="T+50",CLASS="ad",END-ON-NEXT=YES"#,
                #"ID="d",START-DATE="T+55",CLASS="commercial",DURATION=1"#,
                #"ID="e",START-DATE="T+60",CLASS="ad",DURATION=2"#))
        #expect(
            Self.spans(adverts) == [
                "splice 5000-30000", "dateRange 50000-55000", "dateRange 55000-56000",
                "dateRange 56000-60000", "dateRange 60000-62000",
            ])
    }

    @Test("Tags before segments begin and end a break; one that nobody ends has an end")
    func cues() {
        func spans(_ cues: [Int: SegmentCue]) -> [String] {
            var (adverts, spans, open): (HLSAdverts, [String], Int?) = (HLSAdverts(), [], nil)
            for second in 0..<2_000 {
                if second % 5 == 0 { adverts.take(cues[second], at: Self.at(Double(second)), length: .seconds(5)) }
                let isOn = adverts.source(at: Self.at(Double(second) + 0.5)) != nil
                if isOn != (open != nil) {
                    if let begin = open { spans.append("\(begin)-\(second)") }
                    open = isOn ? second : nil
                }
            }
            return spans
        }
        #expect(spans([10: .out(.seconds(30))]) == ["10-40"])
        #expect(spans([10: .out(.seconds(30)), 20: .end]) == ["10-20"])
        #expect(spans([10: .out(nil), 35: .end]) == ["10-35"])
        #expect(spans([10: .out(nil)]) == ["10-1810"])
        #expect(spans([10: .goesOn(.seconds(12)), 15: .goesOn(.seconds(7))]) == ["10-22"])
        #expect(spans([10: .goesOn(nil), 15: .goesOn(nil)]) == ["10-20"])
        #expect(spans([10: .out(.seconds(5)), 15: .goesOn(.zero), 20: .goesOn(.zero), 25: .end]) == ["10-25"])
        #expect(spans([10: .out(.seconds(9)), 20: .end, 25: .out(.seconds(5))]) == ["10-19", "25-30"])
        #expect(spans([10: .end]) == [])
    }

    @Test("Whatever lists say, a range is where the newest of them put it", arguments: 0..<50)
    func oracle(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var (adverts, truth): (HLSAdverts, [Int: Range<Int>]) = (HLSAdverts(), [:])
        for _ in 0..<40 {
            var tags: [String] = []
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let id = Int.random(in: 0..<12, using: &random)
                // Each range lies in a minute of its own, so that ranges do not overlap.
                let begin = id * 60
                let length = Int.random(in: 1...59, using: &random)
                let end =
                    [#"DURATION=\#(length)"#, #"END-DATE="T+\#(begin + length)""#].randomElement(using: &random) ?? ""
                tags.append(#"ID="\#(id)",START-DATE="T+\#(begin)",SCTE35-OUT=0xFC,\#(end)"#)
                truth[id] = begin..<begin + length
            }
            // Within one list, the last tag with an id counts, but END-DATE before DURATION.
            let unique = Dictionary(tags.map { ($0.prefix { $0 != "," }, $0) }, uniquingKeysWith: { $1 })
            let list = try unique.values.flatMap { try Self.ranges($0) }
            adverts.take(list)
            let expected = truth.sorted { $0.key < $1.key }.map {
                "splice \($0.value.lowerBound * 1_000)-\($0.value.upperBound * 1_000)"
            }
            let found = Self.spans(adverts)
            #expect(found == expected)
        }
    }

    @Test("No more than two hundred ranges are kept, those that begin last")
    func bounded() throws {
        var adverts = HLSAdverts()
        for first in stride(from: 0, to: 1_000, by: 100) {
            var list: [DateRange] = []
            for index in first..<first + 100 {
                list += try Self.ranges(#"ID="\#(index)",START-DATE="T+\#(index * 2)",DURATION=1,SCTE35-OUT=0xFC"#)
            }
            adverts.take(list)
        }
        #expect(adverts.change(after: Self.at(-1)) == Self.at(1_600))
    }
}
