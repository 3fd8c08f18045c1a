// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

@Suite struct ICYEncodingTests {
    @Test(
        "An encoded title is read back as it was written",
        arguments: ["", "A", "Artist - Title", "It's", "a;b", "'", "''", "ü ☃ 日本", "x=';y=z", "ends with '"])
    func roundTrip(_ title: String) {
        let block = ICYMetadata.encoded(title: title)
        #expect(Int(block[0]) * 16 == block.count - 1)
        let read = ICYMetadata(Array(block.dropFirst())).title.map { String(decoding: $0, as: UTF8.self) }
        #expect(read == title.replacing("';", with: "’;"))
    }

    @Test("A long title is cut at a character boundary") func longTitle() throws {
        for prefix in 0..<4 {
            let title = String(repeating: "x", count: prefix) + String(repeating: "日", count: 3000)
            let block = ICYMetadata.encoded(title: title)
            #expect(block.count == 4081)
            let read = try #require(ICYMetadata(Array(block.dropFirst())).title)
            #expect(title.utf8.starts(with: read))
            #expect(String(validating: read, as: UTF8.self) != nil)
        }
    }

    @Test("Control characters are left out of an encoded title") func controlCharacters() {
        let block = ICYMetadata.encoded(title: "a\r\n\u{0}b\u{1b}c")
        #expect(ICYMetadata(Array(block.dropFirst())).title == Array("abc".utf8))
    }
}
