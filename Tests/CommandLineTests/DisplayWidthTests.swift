// SPDX-License-Identifier: MIT

import Testing

@testable import aircheck

/// How many columns of a terminal a text takes.
struct DisplayWidthTests {
    @Test(
        "The width of a text is counted in terminal columns",
        arguments: [
            ("", 0), ("Nova", 4), ("Café", 4), ("Cafe\u{301}", 4), ("Кино", 4), ("東京", 4), ("한국", 4), ("ｱ", 1),
            ("Ａ", 2),
            ("🎵", 2), ("🇫🇷", 2), ("a\u{200B}b", 2), ("שלום", 4), ("…●○", 3),
        ])
    func columns(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test("No code point is wider in the terminal than counted") func neverTooNarrow() throws {
        let scalars = (UInt32(0x20)...0x10FFFF).compactMap(Unicode.Scalar.init)
        let wrong = zip(scalars, try TerminalWidth().of(scalars))
            .filter { scalar, width in width.map { $0 > DisplayWidth.of(String(scalar)) } ?? false }
            .map { String($0.0.value, radix: 16) }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(20))")
    }

    @Test("Letters of everyday scripts are not counted too wide") func everydayScripts() throws {
        let scalars = (UInt32(0x20)...0x2FFF).compactMap(Unicode.Scalar.init)
        let wrong = zip(scalars, try TerminalWidth().of(scalars))
            .filter { scalar, width in width.map { $0 < DisplayWidth.of(String(scalar)) } ?? false }
            .map { String($0.0.value, radix: 16) }
        #expect(wrong.count < 100, "\(wrong.count): \(wrong.prefix(100))")
    }

    @Test("C10: A text of characters that take no columns is cut by its size in bytes")
    func heapOfAccents() {
        let heap = "a" + String(repeating: "\u{301}", count: 7_000)
        #expect(DisplayWidth.cut(heap, to: 20).utf8.count <= 1_000)
    }

    @Test("A text is cut between characters, and an ellipsis marks the cut") func cut() {
        #expect(DisplayWidth.cut("Nova", to: 4) == "Nova")
        #expect(DisplayWidth.cut("Nova", to: 3) == "No…")
        #expect(DisplayWidth.cut("東京東京", to: 6) == "東京…")
        #expect(DisplayWidth.cut("東京東京", to: 7) == "東京東…")
        #expect(DisplayWidth.cut("Cafe\u{301}s", to: 4) == "Caf…")
        #expect(DisplayWidth.cut("Nova", to: 1) == "")
        #expect(DisplayWidth.cut("Nova", to: -5) == "")
    }
}
