// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import TestSupport
import Testing

@Suite struct SafeNameTests {
    @Test(
        "A name component is made safe and stays readable",
        arguments: [
            ("FIP", "FIP"),
            ("AC/DC", "AC-DC"),
            ("a\\b:c|d", "a-b-c-d"),
            ("\"What?\" <live> *", "'What_' (live) _"),
            ("../../etc/passwd", "etc-passwd"),
            ("...", "x"),
            (".hidden", "hidden"),
            ("ends with dots. . .", "ends with dots"),
            ("  many \t\n blanks\u{00A0}\u{3000}here ", "many blanks here"),
            ("a\u{0}b\u{7F}c\u{85}d\u{1B}[31me", "abc d[31me"),
            ("\u{202E}gpj.exe\u{2066}\u{200B}\u{FEFF}", "gpj.exe"),
            ("\u{115F}\u{3164}\u{FE0F}", "x"),
            ("", "x"),
            ("CON", "CON_"),
            ("nul.txt", "nul_.txt"),
            ("Aux .tar.gz", "Aux _.tar.gz"),
            ("com1", "com1_"), ("COM²", "COM²_"), ("LPT9.x", "LPT9_.x"), ("CONIN$", "CONIN$_"),
            ("console", "console"), ("COM10", "COM10"), ("my nul", "my nul"),
            ("Händel – Größe", "Händel – Größe"),
            ("日本語 🎵", "日本語 🎵"),
        ])
    func components(text: String, name: String) {
        #expect(SafeName.component(text, fallback: "x") == name)
    }

    @Test("A letter and its accents become one code point if there is such a code point") func composition() {
        let decomposed = "Ha\u{308}ndel e\u{302}\u{323} и\u{306} か\u{3099} x\u{301}"
        let name = SafeName.component(decomposed, fallback: "x")
        #expect(Array(name.unicodeScalars) == Array("H\u{E4}ndel \u{1EC7} \u{439} \u{304C} x\u{301}".unicodeScalars))
    }

    @Test("A name does not begin with a dash") func leadingDash() {
        #expect(SafeName.component("-rf", fallback: "x") == "rf")
        #expect(SafeName.component("- Song - Band -", fallback: "x") == "Song - Band -")
        #expect(SafeName.component("---", fallback: "x") == "x")
    }

    @Test("An unusable fallback name is replaced by an underscore") func unusableFallback() {
        #expect(SafeName.component("", fallback: "") == "_")
        #expect(SafeName.component("..", fallback: "../..") == "_")
    }

    @Test("A long name is cut at a character boundary") func longName() {
        let flags = String(repeating: "🇫🇷", count: 60)
        let name = SafeName.component(flags, fallback: "x")
        #expect(name.utf8.count <= SafeName.maxBytes && name.utf8.count % 8 == 0 && flags.hasPrefix(name))
        let heap = "a" + String(repeating: "\u{301}", count: 1000)
        #expect((1...SafeName.maxBytes).contains(SafeName.component(heap, fallback: "x").utf8.count))
    }

    @Test("The second file of the same name gets a number") func numbers() {
        #expect((1...3).map { SafeName.numbered("a b", attempt: $0) } == ["a b", "a b (2)", "a b (3)"])
    }

    @Test("A thousand hostile titles stay in the folder, fit, and get distinct names") func hostileTitles() throws {
        var random = SplitMix64(seed: 10)
        let template = try NameTemplate(parsing: "{station}/{artist} - {title}")
        let time = CivilTime(WallInstant("2026-11-21T12:22:55Z"), in: FixedZone.utc)
        var taken: Set<String> = []
        for round in 0..<1000 {
            // Every third title is the same.
            let title = round % 3 == 2 ? "same" : HostileText.make(using: &random)
            let split = SplitTitle(title)
            let path = template.render(
                NameValues(
                    station: HostileText.make(using: &random), title: split.title, artist: split.artist,
                    sequence: round,
                    time: time))
            let parts = HostileText.components(path)
            #expect(parts.count == 2)
            for part in parts { HostileText.expectSafe(part) }
            let attempt = (1...1001).first { !taken.contains(SafeName.numbered(path, attempt: $0)) }
            let name = SafeName.numbered(path, attempt: attempt ?? 0)
            #expect(taken.insert(name).inserted)
            let file = (HostileText.components(name).last ?? "") + ".mp3.part"
            #expect(file.utf8.count <= 255)
        }
        #expect(taken.count == 1000)
    }
}

/// Titles that an attacker would send.
enum HostileText {
    private static let pieces = [
        "/", "\\", "..", ".", " ", "\u{0}", "\n", "\r", "\t", "\u{1B}[2J", "\u{7F}", "\u{9B}", "\u{202E}", "\u{2066}",
        "\u{200B}", "\u{200D}", "\u{FEFF}", "\u{FE0F}", "\u{E0041}", "\u{3164}", "CON", "nul", "COM1", "a", "é",
        "e\u{301}", "日", "👩‍👩‍👧‍👦", "🇫🇷", "\u{301}", "{title}", "%Y", "%", "~", "-rf", "<", ">", ":", "\"", "|", "?", "*",
        "\u{FFFF}", "\u{10FFFF}", "\u{2028}", "\u{2029}", " - ", "Artist", "Title", "\u{D7FF}", "\u{E000}",
    ]

    static func make(using random: inout some RandomNumberGenerator) -> String {
        let count = Int.random(in: 0...(Bool.random(using: &random) ? 8 : 300), using: &random)
        return (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    /// Splits a path as a file system does.
    static func components(_ path: String) -> [String] {
        path.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }

    static func expectSafe(_ part: String) {
        #expect(!part.isEmpty && part.utf8.count <= SafeName.maxBytes)
        #expect(
            part.first != "." && part.first != " " && part.last != "." && part.last != " ", "\(part.debugDescription)")
        let stem = part.prefix { $0 != "." }.uppercased()
        #expect(!["CON", "NUL", "COM1", "CON ", "NUL ", "COM1 "].contains(stem), "\(part.debugDescription)")
        let refused = part.unicodeScalars.first { scalar in
            "/\\<>:\"|?*".unicodeScalars.contains(scalar) || scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                || scalar.properties.generalCategory == .format || scalar.properties.isDefaultIgnorableCodePoint
                || scalar.properties.isBidiControl || scalar.properties.generalCategory == .unassigned
        }
        #expect(refused == nil, "\(part.debugDescription)")
    }
}
