// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

struct CharsetDecoderTests {
    @Test("Valid UTF-8 is taken as it is") func utf8() {
        for text in ["plain", "Zoë – ‚Süß‘", "Дорогие мои", "日本語", "naïve café", "Ã ist ein Buchstabe"] {
            #expect(CharsetDecoder(configured: .windows1251).decode(Array(text.utf8)) == text)
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
        #expect(CharsetDecoder(configured: charset).decode(bytes) == expected)
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
        #expect(CharsetDecoder(configured: charset).title(bytes) == expected)
    }

    @Test("Text that the configured charset cannot decode is read as Windows-1252") func fallbackCharset() {
        #expect(CharsetDecoder(configured: .windows1253).decode([0xaa, 0xe9]) == "ªé")
        #expect(CharsetDecoder(configured: .utf8).decode([0x61, 0xe9]) == "aé")
    }

    @Test("Double encoding is undone", arguments: ["Zoë", "Мир", "“Café” – naïve", "日本"])
    func doubleEncoding(_ text: String) {
        for middle in [Charset.latin1, .windows1252] {
            let once = middle.decode(Array(text.utf8))
            guard !once.unicodeScalars.contains("\u{FFFD}") else { continue }
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

    @Test("Every charset has a name and decodes all bytes") func completeCharsets() {
        for charset in Charset.allCases {
            #expect(Charset(name: charset.rawValue) == charset)
            guard charset != .utf8 else { continue }
            #expect(charset.decode(0...255).unicodeScalars.count == 256, "\(charset)")
            #expect(charset.decode(Array("ASCII ~".utf8)) == "ASCII ~")
        }
        #expect(Charset(name: "ebcdic") == nil)
        #expect(Charset(name: "") == nil)
    }

    @Test("Titles lose the characters that move a cursor or change the direction of text") func cleanedTitles() {
        #expect(TitleText.cleaned(" a\u{1b}[2Jb\tc\r\n d\u{0}\u{7f}\u{9b}e \u{202e}f\u{feff} ") == "a[2Jb c de f")
        #expect(TitleText.cleaned("\u{2066}\u{200f}") == "")
        #expect(TitleText.cleaned("👩‍🚀 é") == "👩‍🚀 é")
        #expect(CharsetDecoder().title([0x20, 0xe9, 0x07, 0x20]) == "é")
    }
}
