// SPDX-License-Identifier: MIT

import Platform
import RadioFormats
import Testing

struct CharsetDecoderTests {
    private static func decoder(_ charset: Charset?) -> CharsetDecoder {
        CharsetDecoder(configured: charset, convert: SystemCharsets.convert)
    }

    @Test("Valid UTF-8 is taken as it is") func utf8() {
        for text in ["plain", "Zoë – ‚Süß‘", "Дорогие мои", "日本語", "naïve café", "Ã ist ein Buchstabe"] {
            #expect(Self.decoder(.windows1251).decode(Array(text.utf8)) == text)
        }
    }

    @Test(
        "Text in other charsets is decoded",
        arguments: [
            (Charset?.none, [0x43, 0x61, 0x66, 0xe9, 0x20, 0x93, 0x78, 0x94, 0x80] as [UInt8], "Café “x”€"),
            (.latin1, [0xe9, 0xa0, 0x31], "é\u{a0}1"),
            (.iso8859Part2, [0xa3, 0xf3, 0x64, 0xbc], "Łódź"),
            (.iso8859Part5, [0xbc, 0xd8, 0xe0], "Мир"),
            (.windows1250, [0x8a, 0xe8, 0x9e], "Ščž"),
            (.windows1251, [0xcc, 0xe8, 0xf0, 0xb8], "Мирё"),
            (.windows1254, [0xdd, 0xfe, 0xf0], "İşğ"),
            (.koi8R, [0xed, 0xc9, 0xd2], "Мир"),
        ])
    func otherCharsets(_ charset: Charset?, _ bytes: [UInt8], _ expected: String) {
        #expect(Self.decoder(charset).decode(bytes) == expected)
    }

    @Test(
        "A UTF-16 byte order mark counts only if the rest of the text is UTF-16",
        arguments: [
            (Charset?.none, [0xff, 0xfe, 0x1c, 0x04, 0x31, 0x00] as [UInt8], "М1"),
            (nil, [0xfe, 0xff, 0x04, 0x1c], "М"),
            (nil, [0xff, 0xfe, 0xfa], "ÿþú"),
            (nil, [0xff, 0xfe], "ÿþ"),
            (.windows1251, [0xff, 0xfe, 0xfa], "яюъ"),
            (.windows1251, [0xff, 0xfe, 0xfa, 0xff], "яюъя"),
        ])
    func utf16Mark(_ charset: Charset?, _ bytes: [UInt8], _ expected: String) {
        #expect(Self.decoder(charset).title(bytes) == expected)
    }

    @Test("Text that the configured charset cannot decode is read as Windows-1252") func fallbackCharset() {
        #expect(Self.decoder(.windows1253).decode([0xaa, 0xe9]) == "ªé")
        #expect(Self.decoder(.utf8).decode([0x61, 0xe9]) == "aé")
    }

    @Test("Double encoding is undone", arguments: ["Zoë", "Мир", "“Café” – naïve", "日本"])
    func doubleEncoding(_ text: String) {
        let latin1 = String(String.UnicodeScalarView(text.utf8.map { Unicode.Scalar($0) }))
        for once in [latin1, Windows1252.decode(text.utf8)] where !once.unicodeScalars.contains("\u{FFFD}") {
            #expect(CharsetDecoder().decode(Array(once.utf8)) == text)
        }
    }

    @Test("A character that is cut off by a full block is left out") func cutCharacter() {
        let bytes = Array("Дорогие мои".utf8)
        #expect(CharsetDecoder().decode(bytes.dropLast()) == "Дорогие мо")
        #expect(CharsetDecoder().decode(Array("Caf".utf8) + [0xe9]) == "Café")
    }

    @Test(
        "Charsets are found by their usual names",
        arguments: [
            ("latin1", Charset.latin1), ("ISO_8859-2", .iso8859Part2), ("cp1251", .windows1251),
            ("Windows-1252", .windows1252), ("KOI8-R", .koi8R), ("utf8", .utf8), ("win-1250", .windows1250),
        ])
    func charsetNames(_ name: String, _ charset: Charset) {
        #expect(Charset(name: name) == charset)
    }

    @Test("Every charset has a name, is known to the system, and contains ASCII") func completeCharsets() {
        for charset in Charset.allCases {
            #expect(Charset(name: charset.rawValue) == charset && SystemCharsets.knows(charset))
            #expect(SystemCharsets.convert(Array("ASCII 1-2".utf8), charset) == "ASCII 1-2")
        }
        #expect(Charset(name: "ebcdic") == nil)
        #expect(Charset(name: "") == nil)
    }

    @Test(
        "C23: Titles in the charsets of Asia, the Baltic and the Near East are read",
        arguments: [
            ("shift_jis", [0x89, 0xCC, 0x8E, 0xE8, 0x20, 0x2D, 0x20, 0x89, 0xCC], "歌手 - 歌"),
            ("euc-jp", [0xB2, 0xCE, 0xBC, 0xEA, 0x20, 0x2D, 0x20, 0xB2, 0xCE], "歌手 - 歌"),
            (
                "iso-2022-jp",
                [
                    0x1B, 0x24, 0x42, 0x32, 0x4E, 0x3C, 0x6A, 0x1B, 0x28, 0x42, 0x20, 0x2D, 0x20, 0x1B, 0x24, 0x42,
                    0x32, 0x4E,
                ],
                "歌手 - 歌"
            ),
            ("gbk", [0xB8, 0xE8, 0xCA, 0xD6], "歌手"), ("gb2312", [0xB8, 0xE8, 0xCA, 0xD6], "歌手"),
            ("gb18030", [0xB8, 0xE8, 0x95, 0x34, 0xB2, 0x35], "歌𠮷"), ("big5", [0xBA, 0x71, 0xA4, 0xE2], "歌手"),
            ("euc-kr", [0xB0, 0xA1, 0xBC, 0xF6], "가수"), ("tis-620", [0xC8, 0xD4, 0xC5], "ศิล"),
            ("windows-874", [0xC8, 0xD4, 0xC5], "ศิล"), ("windows-1256", [0xDD, 0xE4, 0xC7, 0xE4], "فنان"),
            ("windows-1255", [0xE0, 0xEE, 0xEF], "אמן"), ("windows-1257", [0xE0, 0xF0, 0xFE], "ąšž"),
            ("iso-8859-13", [0xE0, 0xF0, 0xFE], "ąšž"),
            ("windows-1258", [0x43, 0x61, 0x20, 0x73, 0x69, 0xDE], "Ca sĩ"),
            ("cp866", [0x80, 0xE0, 0xE2], "Арт"),
        ] as [(String, [UInt8], String)])
    func asia(_ name: String, _ bytes: [UInt8], _ expected: String) throws {
        let charset = try #require(Charset(name: name))
        let block = Array("StreamTitle='".utf8) + bytes + Array("';".utf8)
        let padded = block + [UInt8](repeating: 0, count: (16 - block.count % 16) % 16)
        let metadata = ICYMetadata(padded)
        #expect(metadata.reading == .wellFormed)
        let title = try Self.decoder(charset).title(#require(metadata.title))
        // Some systems compose letters and accents, others do not.
        #expect(title == expected || title.unicodeScalars.elementsEqual(expected.unicodeScalars))
    }

    @Test("Bytes that are no text of the charset, or a character that is cut off, do no harm") func damaged() {
        #expect(SystemCharsets.convert([0x89, 0xCC, 0x89], .shiftJIS) == "歌")
        #expect(SystemCharsets.convert([0xFF, 0x41, 0xB8, 0xE8], .gbk) == "\u{FFFD}A歌")
        #expect(SystemCharsets.convert([], .big5) == "")
        for charset in Charset.allCases where charset != .utf8 {
            let text = SystemCharsets.convert(Array(0...255) + Array((0...255).reversed()), charset)
            #expect(text?.isEmpty == false)
        }
    }

    @Test("Titles lose the characters that move a cursor or change the direction of text") func cleanedTitles() {
        #expect(TitleText.cleaned(" a\u{1b}[2Jb\tc\r\n d\u{0}\u{7f}\u{9b}e \u{202e}f\u{feff} ") == "a[2Jb c de f")
        #expect(TitleText.cleaned("\u{2066}\u{200f}") == "")
        #expect(TitleText.cleaned("👩‍🚀 é") == "👩‍🚀 é")
        #expect(CharsetDecoder().title([0x20, 0xe9, 0x07, 0x20]) == "é")
    }
}
