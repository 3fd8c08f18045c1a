// SPDX-License-Identifier: MIT

import RadioCore
import Testing

@testable import aircheck

/// What terminals send for keys, and other bytes that may arrive.
struct KeyReaderTests {
    @Test(
        "Keys are read in all the ways that terminals write them",
        arguments: [
            ("^[A", .up), ("^OA", .up), ("^[1;5A", .up), ("^[1;2:1B", .down), ("^O5C", .right),
            ("^[d", .left), ("^Oc", .right), ("^[D", .left), ("^[H", .home), ("^OF", .end),
            ("^[4~", .end), ("^[8~", .end), ("^[8;5~", .end), ("^[1~", .home),
            ("^[5~", .pageUp),
            ("^[2~", .insert), ("^[3~", .delete), ("^OM", .enter), ("^Ok", .character("+")),
            (" ", .character(" ")), ("q", .character("q")), ("é", .character("é")), ("€", .character("€")),
            ("🎵", .character("🎵")), ("\r", .enter), ("\n", .enter), ("\t", .tab), ("\u{7F}", .backspace),
            ("\u{3}", .control("c")),
        ] as [(String, Key)])
    func known(written: String, key: Key) {
        // The arguments have `^` for escape, so that a terminal can show the test's name.
        let text = written.replacing("^", with: "\u{1B}")
        #expect(keys(Array(text.utf8)) == [key])
        // No byte of the key is left over: the characters around it are read unchanged.
        #expect(keys(Array("x\(text)y".utf8)) == [.character("x"), key, .character("y")])
    }

    @Test("An escape byte is the escape key unless a sequence follows it")
    func escape() {
        var reader = KeyReader()
        #expect(reader.read(0x1B) == nil && reader.isWaiting)
        #expect(reader.giveUp() == .escape && !reader.isWaiting)
        #expect(reader.read(UInt8(ascii: "q")) == .character("q"))
        #expect(reader.read(0x1B) == nil && reader.read(UInt8(ascii: "[")) == nil && reader.isWaiting)
        #expect(reader.giveUp() == nil && !reader.isWaiting)
        #expect(keys([0x1B, 0x1B, 0x5B, 0x41]) == [.escape, .up])
    }

    @Test(
        "Bytes that are no key are left out, and the key after them is read",
        arguments: [
            [0x00], [0x1C], [0xFF, 0xFE, 0xC0, 0xC1, 0xF5], [0x80, 0xBF, 0x9B], [0xE2, 0x82], [0xC0, 0xAF],
            [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xC2, 0x85],
            Array("\u{1B}[?1;2c".utf8), Array("\u{1B}[<0;1;1M".utf8), Array("\u{1B}[200~".utf8),
            Array("\u{1B}[[A".utf8), Array("\u{1B}x".utf8),
            Array("\u{1B}[99999999999999999999999A!".utf8).dropLast(2) + [0x7A],
            Array("\u{1B}[12;34R".utf8), Array("\u{1B}OP".utf8), Array("\u{1B}[15~".utf8),
        ] as [[UInt8]])
    func unknown(bytes: [UInt8]) {
        #expect(keys(bytes + Array("q".utf8)) == [.character("q")], "\(bytes)")
    }

    @Test("A sequence without an end is given up")
    func endless() {
        var reader = KeyReader()
        var keys: [Key] = []
        for byte in Array("\u{1B}[".utf8) + Array(repeating: UInt8(ascii: "1"), count: 10_000) {
            if let key = reader.read(byte) { keys.append(key) }
        }
        #expect(keys.count > 9_900 && keys.allSatisfy { $0 == .character("1") })
    }

    @Test("Keys do not depend on how the bytes are split, and no bytes stop the reader")
    func randomBytes() {
        var random = SplitMix64(seed: 9)
        let pieces = ["\u{1B}", "[", "O", "1;5", "A", "~", "é", "🎵", "q", "\u{1B}[C", "4"].map { Array($0.utf8) }
        for _ in 0..<2_000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                let isWild = Int.random(in: 0..<4, using: &random) == 0
                bytes +=
                    isWild ? [UInt8.random(in: 0...255, using: &random)] : pieces.randomElement(using: &random) ?? []
            }
            // A new reader that starts between two keys reads the same keys.
            var reader = KeyReader()
            var (together, split): ([Key], [Key]) = ([], [])
            var start = 0
            for (index, byte) in bytes.enumerated() {
                if let key = reader.read(byte) { together.append(key) }
                guard !reader.isWaiting else { continue }
                split += keys(Array(bytes[start...index]))
                start = index + 1
            }
            split += keys(Array(bytes[start...]))
            #expect(together == split && together.count <= bytes.count)
            _ = reader.giveUp()
            #expect(reader.read(UInt8(ascii: "q")) == .character("q"))
        }
    }

    private func keys(_ bytes: [UInt8]) -> [Key] {
        var reader = KeyReader()
        return bytes.compactMap { reader.read($0) }
    }
}
