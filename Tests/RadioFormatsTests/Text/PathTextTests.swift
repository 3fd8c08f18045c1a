// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

struct PathTextTests {
    private static let paths: [[UInt8]] = [
        Array("sub/caf\u{E9}.mp3".utf8), [0x73, 0x75, 0x62, 0xFC], [0xFF], [0xC3], [0xC3, 0x28], [0xE2, 0x82],
        [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC0, 0xAF], Array("\u{10FEFC}".utf8),
        Array("a\u{10FE80}".utf8) + [0xFC], [], Array("\u{10FFFD}\u{1F4FB}".utf8),
    ]

    @Test("H21: Every path has one text, which leads back to its bytes") func roundTrips() {
        var generator = SplitMix64(seed: 9)
        let random = (0..<500).map { _ in generator.bytes(Int.random(in: 0...12, using: &generator)) }
        for bytes in Self.paths + random {
            let text = PathText.text(of: bytes)
            #expect(PathText.bytes(of: text) == bytes, "\(bytes)")
            #expect(text.pathBytes == bytes.map { CChar(bitPattern: $0) } + [0])
            // The text of a path is unchanged if it is UTF-8 and has no character that stands for a byte.
            if let plain = String(validating: bytes, as: UTF8.self), !PathText.hasRawBytes(plain) {
                #expect(text == plain && !PathText.hasRawBytes(text))
            } else {
                #expect(PathText.hasRawBytes(text))
            }
        }
    }

    @Test("H21: The text goes through JSON, people see the byte, and text of others stands for no byte")
    func uses() throws {
        let text = PathText.text(of: [0x73, 0xFC, 0x2E])
        #expect(try JSONValue(parsing: Array(JSONValue.string(text).text(.pretty).utf8), limit: 100) == .string(text))
        #expect(text == "s\u{10FEFC}." && PathText.shown(text) == "s\\xFC.")
        #expect(PathText.withoutRawBytes(text) == "s\u{FFFD}.")
        var object = JSONObject()
        object.noteRawBytes(of: ["plain", nil])
        #expect(object.members.isEmpty)
        object.noteRawBytes(of: ["plain", text])
        #expect(JSONValue.object(object)["raw_bytes"]?.stringValue == "U+10FE00 + byte")
    }
}
