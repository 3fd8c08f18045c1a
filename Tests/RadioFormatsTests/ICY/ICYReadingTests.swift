// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

struct ICYReadingTests {
    private func block(_ text: [UInt8], units: Int? = nil) -> [UInt8] {
        let units = units ?? (text.count + 15) / 16
        return text + [UInt8](repeating: 0, count: max(0, units * 16 - text.count))
    }

    @Test(
        "A block of closed fields is well-formed",
        arguments: [
            "StreamTitle='A';", "StreamTitle='';", "StreamTitle='A';StreamUrl='http://a.test/';", "StreamTitle='It's';",
            "StreamTitle=\"A\";", "StreamTitle='A'", "StreamTitle='A'; ", "StreamTitle='Ünï';",
        ])
    func closedFields(_ text: String) {
        #expect(ICYMetadata(block(Array(text.utf8))).reading == .wellFormed)
    }

    @Test("A block of text in an old charset is well-formed") func oldCharset() {
        #expect(
            ICYMetadata(block(Array("StreamTitle='".utf8) + [0xC4, 0xFF, 0x80] + Array("';".utf8))).reading
                == .wellFormed)
    }

    @Test("A block of zeros is empty") func zeros() {
        #expect(ICYMetadata([UInt8](repeating: 0, count: 32)).reading == .empty)
    }

    @Test(
        "A block with an incomplete field is loose",
        arguments: ["StreamTitle='A title that is cut off", "gibberish", "StreamTitle='A';StreamU"])
    func incompleteField(_ text: String) {
        #expect(ICYMetadata(block(Array(text.utf8))).reading == .loose)
    }

    @Test("A block with more zeros than it needs is loose") func extraZeros() {
        #expect(ICYMetadata(block(Array("StreamTitle='A';".utf8), units: 3)).reading == .loose)
    }

    @Test("A tail of the previous block makes a block loose, any other tail makes it unreadable") func tails() {
        let previous = block(Array("StreamTitle='A rather long title';".utf8))
        var stale = previous
        stale.replaceSubrange(0..<17, with: Array("StreamTitle='A';\0".utf8))
        #expect(ICYMetadata(stale, after: previous).reading == .loose)
        #expect(ICYMetadata(stale).reading == .unreadable)
        stale[20] ^= 1
        #expect(ICYMetadata(stale, after: previous).reading == .unreadable)
    }

    @Test("A block that swallowed the beginning of a frame is unreadable, or audio") func swallowedFrame() {
        let text = Array("StreamTitle='A';".utf8)
        #expect(
            ICYMetadata(text + [0xFF, 0xFB, 0x90, 0x64, 0, 4] + [UInt8](repeating: 0x55, count: 10)).reading
                == .unreadable)
        #expect(ICYMetadata(text + [UInt8](repeating: 0x11, count: 16)).reading == .audio)
    }

    @Test("The beginning of a block is recognised by its first field") func beginning() {
        #expect(ICYMetadata.isBeginning(Array("StreamTitle='The".utf8)))
        #expect(ICYMetadata.isBeginning(Array("StreamTitle='".utf8)))
        #expect(!ICYMetadata.isBeginning(Array("StreamTitle=".utf8)))
        #expect(!ICYMetadata.isBeginning(Array("='".utf8)))
        #expect(!ICYMetadata.isBeginning([0xFF, 0xFB, 0x90, 0x64]))
        #expect(!ICYMetadata.isBeginning([]))
    }
}
