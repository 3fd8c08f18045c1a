// SPDX-License-Identifier: MIT

import Platform
import RadioFormats
import Testing

/// Careless or malicious titles, from the bytes of their block to where they are shown.
struct HostileTitleTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// The bytes between `StreamTitle='` and the padding.
        var bytes: [UInt8]
        var title: String
        var charset: Charset?
        /// The text of the previous block, if there is one.
        var previous: String?

        init(_ name: String, _ text: String, _ title: String, charset: Charset? = nil, previous: String? = nil) {
            self.init(name, Array(text.utf8), title, charset: charset, previous: previous)
        }

        init(_ name: String, _ bytes: [UInt8], _ title: String, charset: Charset? = nil, previous: String? = nil) {
            testDescription = name
            self.bytes = bytes
            self.title = title
            self.charset = charset
            self.previous = previous
        }

        var block: [UInt8] { Self.padded(Array("StreamTitle='".utf8) + bytes) }

        static func padded(_ bytes: [UInt8]) -> [UInt8] {
            bytes + [UInt8](repeating: 0, count: (16 - bytes.count % 16) % 16)
        }
    }

    private static let end = Array("';".utf8)
    private static let long = String(repeating: "A", count: 4080 - 15)

    static let cases = [
        Case("quotes", "Don't 'stop'; it's \"live\"';StreamUrl='';", "Don't 'stop'; it's \"live\""),
        Case(
            "a stale tail", "Short';title of a song';", "Short", previous: "StreamTitle='A long title of a song';"),
        Case("no end", "Artist - Title", "Artist - Title"),
        Case("no semicolon", "Artist - Title'", "Artist - Title"),
        Case("a NUL and what is left behind it", "New';\0of an old one';", "New"),
        Case("markup", "<script>alert(1)</script> & co';", "<script>alert(1)</script> & co"),
        Case("escape sequences", "a\u{1B}[2J\u{1B}]0;b\u{7}\u{9B}31mc\r\nd';", "a[2J]0;b31mc d"),
        Case("text turned around", "\u{202E}txt.exe\u{2066}\u{200F}';", "txt.exe"),
        Case("invisible letters", "a\u{FEFF}\u{E0041}\u{FFF9}b';", "ab"),
        Case("a full block", long + "';", long),
        Case("UTF-8", "Sigur Rós – Hoppípolla 東京';", "Sigur Rós – Hoppípolla 東京"),
        Case("Latin-1", [0x42, 0x6A, 0xF6, 0x72, 0x6B] + end, "Björk"),
        Case("Latin-2", [0xA3, 0xF3, 0x64, 0xBC] + end, "Łódź", charset: .iso8859Part2),
        Case("CP1251", [0xCA, 0xE8, 0xED, 0xEE] + end, "Кино", charset: .windows1251),
        Case("UTF-8 where CP1251 is usual", "Кино';", "Кино", charset: .windows1251),
        Case("UTF-8 that was encoded twice", "ÐšÐ¸Ð½Ð¾';", "Кино"),
        Case("UTF-16, little end first", [0xFF, 0xFE, 0x1A, 0x04, 0x38, 0x04, 0x20, 0, 0x41, 0] + end, "Ки A"),
        Case("UTF-16, big end first", [0xFE, 0xFF, 0, 0x41, 0x04, 0x1A] + end, "AК"),
        Case("UTF-16 with an odd end", [0xFF, 0xFE, 0x41, 0, 0xD8], "A"),
        Case("nothing but control characters", "\u{1}\u{2}\u{1B}';", ""),
    ]

    @Test("C3: A hostile metadata block is read as it was meant", arguments: cases)
    func hostileBlocks(_ hostile: Case) {
        let previous = hostile.previous.map { Case.padded(Array($0.utf8)) }
        let raw = ICYMetadata(hostile.block, after: previous).title
        #expect(
            raw.map(CharsetDecoder(configured: hostile.charset, convert: SystemCharsets.convert).title) == hostile.title
        )
    }

    @Test("C3: No title controls a terminal, breaks a log line or JSON text, or changes on its way", arguments: cases)
    func safeTitles(_ hostile: Case) throws {
        #expect(hostile.title.unicodeScalars.allSatisfy(Self.isInert))
        #expect(TitleText.cleaned(hostile.title) == hostile.title)
        // JSON must be safe even if a title was not cleaned.
        for text in [hostile.title, String(decoding: hostile.bytes, as: UTF8.self)] {
            let value: JSONValue = ["title": .string(text)]
            let json = value.text()
            #expect(json.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
            #expect(try JSONValue(parsing: Array(json.utf8), limit: 1 << 20)["title"]?.stringValue == text)
        }
        // For listeners, a typographic apostrophe replaces an apostrophe that would end the value.
        let sent = ICYMetadata.encoded(title: hostile.title)
        let heard = ICYMetadata(Array(sent.dropFirst())).title.map { String(decoding: $0, as: UTF8.self) }
        let plain = try #require(heard).replacing("’;", with: "';")
        #expect(hostile.title.hasPrefix(plain) && (plain == hostile.title || sent.count == 1 + 255 * 16))
    }

    private static func isInert(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        // Joiners are harmless, because they belong to letters and emoji.
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
        default: true
        }
    }
}
