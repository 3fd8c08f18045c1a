// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

struct ID3v2TagTests {
    private let frames: [ID3v2Frame] = [
        .text(id: "TIT2", "Für Elise 🎹"), .text(id: "TPE1", "Künstler"), .text(id: "TALB", "The Morning Show"),
        .text(id: "TRSN", "FIP"), .text(id: "TDRC", "2026-11-21T08:00:00"),
        .userText(description: "AIRCHECK_ID", "x-1"), .comment(language: "eng", description: "why", "on air"),
        .link(id: "WOAS", "https://example.org/"),
    ]

    @Test("A written tag is read back equal and fills the given size") func roundTrip() {
        let tag = ID3v2Tag(frames: frames)
        for size in [1000, 2048, 300_000] {
            let bytes = tag.encoded(size: size)
            #expect(bytes.count == size)
            #expect(ID3v2Tag(parsing: bytes) == tag)
            #expect(bytes.withUnsafeBytes { ID3v2Header($0)?.tagLength } == size)
        }
        #expect(tag.streamTitle == "Künstler - Für Elise 🎹" && tag.text("TALB") == "The Morning Show")
    }

    @Test("Values are cut at a character boundary if there is too little room") func cutValues() {
        let tag = ID3v2Tag(frames: [.text(id: "TIT2", "aé👨‍👩‍👧z"), .text(id: "TPE1", "b")])
        // The tag header takes 10 bytes, the frame header 10 and the encoding 1. In the title, "a" takes 1 byte, "é" 2
        // and the family 18.
        let expected: [(size: Int, title: String?)] = [
            (10, nil), (21, nil), (22, "a"), (23, "a"), (24, "aé"), (41, "aé"), (42, "aé👨‍👩‍👧"), (43, "aé👨‍👩‍👧z"),
        ]
        for (size, title) in expected {
            let bytes = tag.encoded(size: size)
            #expect(bytes.count == size)
            #expect(ID3v2Tag(parsing: bytes)?.title == title, "\(size)")
        }
    }

    @Test("Invalid frame names and NULs are left out of a tag") func invalidNames() {
        let tag = ID3v2Tag(frames: [.text(id: "tit2", "x"), .text(id: "TIT22", "x"), .text(id: "TIT2", "a\u{0}b")])
        #expect(ID3v2Tag(parsing: tag.encoded(size: 100))?.frames == [.text(id: "TIT2", "ab")])
    }

    @Test("A tag of version 2.2 is read") func version22() {
        let body =
            ascii("TT2") + [0, 0, 6] + [0] + ascii("Title") + ascii("TP1") + [0, 0, 3] + [0, 0x4D, 0xFC]
            + ascii("PIC") + [0, 0, 2, 1, 2] + [0, 0, 0, 0]
        let tag = ID3v2Tag(parsing: header(2, 0, body.count) + body)
        #expect(tag?.streamTitle == "Mü - Title" && tag?.frames.count == 2)
    }

    @Test("UTF-16 is read with and without a byte order mark, and with an odd byte at its end") func utf16() {
        let cases: [([UInt8], String)] = [
            ([1, 0xFF, 0xFE, 0x41, 0, 0xE9, 0], "Aé"), ([1, 0xFE, 0xFF, 0, 0x41, 0, 0xE9], "Aé"),
            ([1, 0x41, 0, 0xE9, 0], "Aé"), ([2, 0, 0x41, 0, 0xE9], "Aé"), ([1, 0xFF, 0xFE, 0x41, 0, 0xE9], "A"),
            ([1, 0xFF, 0xFE, 0x41, 0, 0, 0], "A"), ([1, 0xFF, 0xFE, 0x3D, 0xD8], "\u{FFFD}"), ([1], ""),
            ([1, 0xFF], ""),
        ]
        for (content, text) in cases {
            let body = frame3("TIT2", content)
            #expect(
                ID3v2Tag(parsing: header(3, 0, body.count) + body)?.frames == [.text(id: "TIT2", text)], "\(content)")
        }
    }

    @Test("Text that is labelled Latin-1 but is UTF-8 is read as UTF-8") func mislabelledUTF8() {
        let body = frame3("TIT2", [0, 0xC3, 0xA9])
        #expect(ID3v2Tag(parsing: header(3, 0, body.count) + body)?.title == "é")
    }

    @Test("Several values in one frame are joined") func severalValues() {
        let body = frame4("TPE1", [3] + ascii("A") + [0] + ascii("B") + [0])
        #expect(ID3v2Tag(parsing: header(4, 0, body.count) + body)?.artist == "A / B")
    }

    @Test("Unsynchronisation is undone for a whole tag or for a single frame") func unsynchronisation() {
        let old = frame3("TIT2", [1, 0xFF, 0xFE, 0x41, 0])
        let stuffed = old.flatMap { $0 == 0xFF ? [0xFF, 0] : [$0] }
        #expect(ID3v2Tag(parsing: header(3, 0x80, stuffed.count) + stuffed)?.title == "A")
        let new = frame4("TIT2", [0, 0, 0, 5] + [1, 0xFF, 0, 0xFE, 0x41, 0], flags: 0x03)
        #expect(ID3v2Tag(parsing: header(4, 0, new.count) + new)?.title == "A")
    }

    @Test("Extended headers of a tag are skipped") func extendedHeaders() {
        let old = [0, 0, 0, 6, 0, 0, 0, 0, 0, 0] + frame3("TIT2", [0, 0x41])
        #expect(ID3v2Tag(parsing: header(3, 0x40, old.count) + old)?.title == "A")
        let new = [0, 0, 0, 6, 1, 0] + frame4("TIT2", [0, 0x41])
        #expect(ID3v2Tag(parsing: header(4, 0x40, new.count) + new)?.title == "A")
    }

    @Test("Compressed and encrypted frames of a tag are skipped") func unreadableFrames() {
        let body =
            frame4("TIT2", [3, 0x41], flags: 0x08) + frame4("TPE1", [3, 0x41], flags: 0x04) + frame4("TALB", [3, 0x42])
        #expect(ID3v2Tag(parsing: header(4, 0, body.count) + body)?.frames == [.text(id: "TALB", "B")])
    }

    @Test("Plain frame sizes in version 2.4 are understood") func plainSizes() {
        let long = [3] + [UInt8](repeating: 0x61, count: 299)
        let body = ascii("TIT2") + [0, 0, 1, 44, 0, 0] + long + frame4("TPE1", [3, 0x42])
        let tag = ID3v2Tag(parsing: header(4, 0, body.count) + body)
        #expect(tag?.title?.utf8.count == 299 && tag?.artist == "B")
    }

    @Test("A false frame size costs only what follows it") func falseSize() {
        let body = frame3("TIT2", [0, 0x41]) + ascii("TPE1") + [0x7F, 0xFF, 0xFF, 0xFF, 0, 0] + [0, 0x42]
        #expect(ID3v2Tag(parsing: header(3, 0, 200_000_000) + body)?.frames == [.text(id: "TIT2", "A")])
    }

    @Test("The footer counts towards the length of a tag") func footer() {
        let head = header(4, 0x10, 5)
        #expect(head.withUnsafeBytes { ID3v2Header($0)?.tagLength } == 25)
    }

    @Test("Bytes that are no tag are refused") func noTag() {
        let heads: [[UInt8]] = [
            [], ascii("ID3"), ascii("TAG4567890"), header(5, 0, 0), header(1, 0, 0),
            ascii("ID3") + [4, 0, 0, 0, 0, 0x80, 0],
        ]
        for head in heads { #expect(ID3v2Tag(parsing: head) == nil) }
        #expect(ID3v2Tag(parsing: header(2, 0x40, 20) + ascii("TT2") + [0, 0, 2, 0, 0x41])?.frames == [])
    }

    @Test("Truncated and mutated tags never trap") func mutatedTags() {
        var random = SplitMix64(seed: 3)
        var seeds = [ID3v2Tag(frames: frames).encoded(size: 400)]
        for (version, flags) in [(2, 0x80), (3, 0xC0), (4, 0xC0)] as [(UInt8, UInt8)] {
            let body =
                frame3("TXXX", [1, 0xFF, 0xFE, 0x41, 0, 0, 0, 0x42, 0]) + frame3("COMM", [0] + ascii("eng\u{0}x"))
            seeds.append(header(version, flags, body.count) + body)
        }
        for seed in seeds {
            for count in 0...seed.count { _ = ID3v2Tag(parsing: Array(seed[..<count])) }
            for _ in 0..<2000 {
                var bytes = seed
                for _ in 0...Int.random(in: 0..<6, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                bytes.replaceSubrange(0..<3, with: ascii("ID3"))
                if let tag = ID3v2Tag(parsing: bytes) { _ = tag.encoded(size: 256) }
            }
        }
    }

    private func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func header(_ version: UInt8, _ flags: UInt8, _ length: Int) -> [UInt8] {
        ascii("ID3") + [version, 0, flags] + [21, 14, 7, 0].map { UInt8(length >> $0 & 0x7F) }
    }

    private func frame3(_ id: String, _ content: [UInt8]) -> [UInt8] {
        ascii(id) + [24, 16, 8, 0].map { UInt8(content.count >> $0 & 0xFF) } + [0, 0] + content
    }

    private func frame4(_ id: String, _ content: [UInt8], flags: UInt8 = 0) -> [UInt8] {
        ascii(id) + [21, 14, 7, 0].map { UInt8(content.count >> $0 & 0x7F) } + [0, flags] + content
    }
}
