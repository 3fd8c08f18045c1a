// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

struct SegmentCueTests {
    @Test(
        "The tags of breaks are read in all their forms",
        arguments: [
            ("#EXT-X-CUE-OUT", SegmentCue.out(nil)), ("#EXT-X-CUE-OUT:30", .out(.seconds(30))),
            ("#EXT-X-CUE-OUT:DURATION=30.5", .out(.milliseconds(30_500))),
            ("#EXT-X-CUE-OUT:Duration=\"60\",SCTE35=/DAl==", .out(.seconds(60))), ("#EXT-X-CUE-OUT:0", .out(nil)),
            ("#EXT-X-CUE-OUT:", .out(nil)), ("#EXT-X-CUE-OUT:-1", .out(nil)), ("#EXT-X-CUE-OUT:soon", .out(nil)),
            ("#EXT-X-CUE-OUT:1e300", .out(.seconds(86_400))), ("#EXT-X-CUE-OUT:nan", .out(nil)),
            ("#EXT-X-CUE-OUT-CONT", .goesOn(nil)), ("#EXT-X-CUE-OUT-CONT:8.5/30", .goesOn(.milliseconds(21_500))),
            ("#EXT-X-CUE-OUT-CONT:CAID=0x1,ElapsedTime=40,Duration=30,SCTE35=/DAl/a==", .goesOn(.zero)),
            ("#EXT-X-CUE-OUT-CONT:Duration=30", .goesOn(.seconds(30))), ("#EXT-X-CUE-OUT-CONT:8", .goesOn(nil)),
            ("#EXT-X-CUE-OUT-CONT:/", .goesOn(nil)), ("#EXT-X-CUE-IN", .end), ("#EXT-X-CUE-IN:30", .end),
            ("#EXT-X-CUE-OUT:30\n#EXT-X-CUE-IN", .end), ("#EXT-X-CUE-IN\n#EXT-X-CUE-OUT:30", .out(.seconds(30))),
        ])
    func forms(_ line: String, cue: SegmentCue) throws {
        #expect(try HLSText.segment(line)?.cue == cue)
    }

    @Test("A tag is one of the next segment only")
    func next() throws {
        let list = try HLSText.media("#EXTM3U\n#EXT-X-CUE-OUT:9\n#EXTINF:6,\na\nb\n#EXT-X-CUE-IN\nc\n#EXT-X-CUE-OUT\n")
        #expect(list.segments.map(\.cue) == [.out(.seconds(9)), nil, .end])
    }

    /// Sections as the standard's own examples have them: splice_insert, and time_signal with the beginning and the end
    /// of an opportunity for adverts.
    private static let (insert, begin, end) = (
        "/DAvAAAAAAAA///wFAVIAACPf+/+c2nALv4AUsz1AAAAAAAKAAhDVUVJAAABNWLbowo=",
        "/DA0AAAAAAAA///wBQb+cr0AUAAeAhxDVUVJSAAAjn/PAAGlmbAICAAAAAAsoKGKNAIAmsnRfg==",
        "/DAvAAAAAAAA///wBQb+dGKQoAAZAhdDVUVJSAAAjn+fCAgAAAAALKChijUCAKnMZ1g="
    )

    @Test("A command of SCTE-35 alone begins or ends a break")
    func commands() throws {
        func cue(_ text: String) throws -> SegmentCue? { try HLSText.segment("#EXT-OATCLS-SCTE35:\(text)")?.cue }
        #expect(try cue(Self.insert) == .out(nil) && cue(Self.begin) == .out(nil) && cue(Self.end) == .end)
        for text in ["", "/DA", "////", String(repeating: "/DAv", count: 4_000)] { #expect(try cue(text) == nil) }
        let both = "#EXT-OATCLS-SCTE35:\(Self.insert)\n#EXT-X-CUE-OUT:30\n#EXT-OATCLS-SCTE35:\(Self.end)"
        #expect(try HLSText.segment(both)?.cue == .out(.seconds(30)))
    }

    @Test("A command of SCTE-35 in a date range counts for what it says, whole, cut or damaged")
    func dateRanges() throws {
        func range(_ bytes: some Collection<UInt8>) throws -> DateRange? {
            let digits = bytes.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
            let tag = "#EXT-X-DATERANGE:ID=\"a\",SCTE35-CMD=0x\(digits)"
            return try HLSText.media("#EXTM3U\n#EXT-X-TARGETDURATION:6\n\(tag)\n").dateRanges.first
        }
        for (text, begins) in [(Self.insert, true), (Self.begin, true), (Self.end, false)] {
            let bytes = try #require(Base64.decode(text.utf8))
            let whole = try #require(try range(bytes))
            #expect(whole.beginsBreak == begins && whole.endsBreak != begins)
            for count in 0..<bytes.count {
                let cut = try #require(try range(bytes.prefix(count)))
                #expect(!cut.beginsBreak || begins)
                #expect(!cut.endsBreak || !begins)
                for value in [UInt8(0), 0x7F, 0xFF] {
                    var damaged = bytes
                    damaged[count] = value
                    let range = try #require(try range(damaged))
                    #expect(!(range.beginsBreak && range.endsBreak))
                }
            }
        }
    }
}
