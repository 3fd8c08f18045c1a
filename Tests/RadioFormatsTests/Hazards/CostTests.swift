// SPDX-License-Identifier: MIT

import FuzzTargets
import RadioFormats
import Testing

/// The cost of reading input that was made to be expensive, counted in reads of each byte.
struct CostTests {
    @Test(
        "C8: A metadata block costs a few reads of each of its bytes, whatever it contains", arguments: ICYCost.patterns
    )
    func metadataBlocks(_ pattern: String) {
        let block = ICYCost.block(of: pattern)
        var other = block
        other[20] ^= 1
        for previous in [nil, block, other] {
            let cost = CountedBytes.cost(of: block) { _ = ICYMetadata(reading: $0, after: previous) }
            #expect(cost <= ICYCost.most, "\(pattern), \(cost) looks a byte")
        }
        let before = CountedBytes.cost(of: other) { _ = ICYMetadata(reading: block, after: $0) }
        #expect(before <= ICYCost.most, "\(pattern), \(before) looks a byte of the block before")
    }

    @Test(
        "C11: The tags and texts of a playlist cost a few reads per byte",
        arguments: [
            "<", "<!--", "<!", "<a ", "<a b=", "<a b='", "&", "&#x1", "</", "<![CDATA[", "<a b=c ", "<a/", "=", "\"",
            "a:",
            "<a:b c:d='&amp;'>", "]]", "--", "<!-- -",
        ])
    func markup(_ pattern: String) {
        #expect(TextCost.markup(Self.repeated(pattern)) <= TextCost.most)
    }

    @Test(
        "C11: JSON costs a few reads per byte",
        arguments: ["[", "{\"", "\"", "\\u", "1", "[1,", "{\"a\":", " ", "1e", "\"\\uD800\\uDC00\",", "-"])
    func json(_ pattern: String) {
        for text in [Self.repeated(pattern), Array("[".utf8) + Self.repeated(pattern), Self.quoted(pattern)] {
            #expect(TextCost.json(text) <= TextCost.most)
        }
    }

    @Test("C11: An ID3 tag costs a few reads per byte", arguments: [2, 3, 4])
    func tags(_ version: UInt8) {
        let frames: [[UInt8]] = [
            // These frames are empty, have one byte, or have many values.
            Array("TIT2".utf8) + [0, 0, 0, 0, 0, 0], Array("TIT2".utf8) + [0, 0, 0, 1, 0, 0, 3],
            Array("TXXX".utf8) + [0, 0, 0, 5, 0, 0, 3, 0x61, 0, 0, 0], Array("TT2".utf8) + [0, 0, 1, 0],
            Array("TIT2".utf8) + [0, 0, 0, 5, 0, 2, 3, 0xff, 0, 0xff, 0], [0xff, 0],
        ]
        for frame in frames {
            for flags: UInt8 in [0, 0x80, 0x40] {
                let body = (0..<(6_000 / frame.count)).flatMap { _ in frame }
                let size: [UInt8] = [0, 0, UInt8(body.count >> 7 & 0x7f), UInt8(body.count & 0x7f)]
                let tag = Array("ID3".utf8) + [version, 0, flags] + size + body
                #expect(TextCost.tag(tag) <= TextCost.most)
            }
        }
        let wide = Array("TIT2".utf8) + [0, 0, 0x2e, 0x60, 0, 0, 1] + [UInt8](repeating: 0, count: 5_983)
        #expect(TextCost.tag(Array("ID3".utf8) + [version, 0, 0, 0, 0, 0x2e, 0x70] + wide) <= TextCost.most)
    }

    @Test(
        "C11: Recognition of a body costs a few reads per byte",
        arguments: [
            "<", "<!--", "<!-- -", "<!", "<?", "#", "#EXTM3U\n#", "#EXTM3U\n", "{", "[", "http://\n", " ", "\n", "G",
            "V\u{e0}",
            "<a:", "-->", "{\"",
        ])
    func recognition(_ pattern: String) {
        for text in [Self.repeated(pattern), Array("<?xml ".utf8) + Self.repeated(pattern)] {
            #expect(TextCost.recognition(text) <= TextCost.mostOfRecognition)
        }
    }

    @Test("C11: The search for packet chains costs a few reads per byte, even if any byte may begin one")
    func packets() {
        let bytes = (0..<4_000).flatMap { _ in [0x56, 0xe0, 0, 0x47] as [UInt8] }
        #expect(TextCost.recognition(bytes) <= TextCost.mostOfRecognition)
    }

    @Test("C11: Thousands of relative places in a playlist are not resolved against an endless base")
    func longBase() throws {
        let base = "http://radio.example/" + String(repeating: "a/", count: 15_000)
        let list = "<asx><base href='\(base)'/>" + String(repeating: "<ref href='b'/>", count: 2_000) + "</asx>"
        let entries = try Playlist(Array(list.utf8), kind: .asx, base: "http://station.example/live").entries
        #expect(entries.map(\.url) == ["http://station.example/b"])
        // Entries after the first thousand are ignored as well.
        let twice = String(repeating: "x\nhttp://a.example/\n", count: 1_000) + "http://b.example/"
        #expect(
            try Playlist(Array(twice.utf8), kind: .m3u, base: "ftp://c.example").entries.map(\.url) == [
                "http://a.example/"
            ])
    }

    private static func repeated(_ pattern: String) -> [UInt8] {
        Array(String(repeating: pattern, count: 16_000 / pattern.utf8.count).utf8)
    }

    private static func quoted(_ pattern: String) -> [UInt8] {
        Array("\"".utf8) + repeated(pattern) + Array("\"".utf8)
    }
}
