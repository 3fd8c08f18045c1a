// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

struct ICYReadingTests {
    private func block(_ text: [UInt8], units: Int? = nil) -> [UInt8] {
        let units = units ?? (text.count + 15) / 16
        return text + [UInt8](repeating: 0, count: max(0, units * 16 - text.count))
    }

    @Test(arguments: [
        "StreamTitle='A';", "StreamTitle='';", "StreamTitle='A';StreamUrl='http://a.test/';", "StreamTitle='It's';",
        "StreamTitle=\"A\";", "StreamTitle='A'", "StreamTitle='A'; ", "StreamTitle='Ünï';",
    ])
    func `closed fields are well-formed`(_ text: String) {
        #expect(ICYReading(of: block(Array(text.utf8))) == .wellFormed)
    }

    @Test func `text in an old charset is well-formed`() {
        #expect(
            ICYReading(of: block(Array("StreamTitle='".utf8) + [0xC4, 0xFF, 0x80] + Array("';".utf8))) == .wellFormed)
    }

    @Test func `zeros are an empty block`() {
        #expect(ICYReading(of: [UInt8](repeating: 0, count: 32)) == .empty)
    }

    @Test(arguments: ["StreamTitle='A title that is cut off", "gibberish", "StreamTitle='A';StreamU"])
    func `text that is no whole field is loose`(_ text: String) {
        #expect(ICYReading(of: block(Array(text.utf8))) == .loose)
    }

    @Test func `more zeros than are needed are loose`() {
        #expect(ICYReading(of: block(Array("StreamTitle='A';".utf8), units: 3)) == .loose)
    }

    @Test func `the end of the block before is loose, any other tail unreadable`() {
        let previous = block(Array("StreamTitle='A rather long title';".utf8))
        var stale = previous
        stale.replaceSubrange(0..<17, with: Array("StreamTitle='A';\0".utf8))
        #expect(ICYReading(of: stale, after: previous) == .loose)
        #expect(ICYReading(of: stale) == .unreadable)
        stale[20] ^= 1
        #expect(ICYReading(of: stale, after: previous) == .unreadable)
    }

    @Test func `a swallowed beginning of a frame is unreadable`() {
        let text = Array("StreamTitle='A';".utf8)
        #expect(
            ICYReading(of: text + [0xFF, 0xFB, 0x90, 0x64, 0, 4] + [UInt8](repeating: 0x55, count: 10)) == .unreadable)
        #expect(ICYReading(of: text + [UInt8](repeating: 0x11, count: 16)) == .unreadable)
    }

    @Test func `the beginning of a block is known by its first field`() {
        #expect(ICYReading.isBeginning(Array("StreamTitle='The".utf8)))
        #expect(ICYReading.isBeginning(Array("StreamTitle='".utf8)))
        #expect(!ICYReading.isBeginning(Array("StreamTitle=".utf8)))
        #expect(!ICYReading.isBeginning(Array("='".utf8)))
        #expect(!ICYReading.isBeginning([0xFF, 0xFB, 0x90, 0x64]))
        #expect(!ICYReading.isBeginning([]))
    }
}
