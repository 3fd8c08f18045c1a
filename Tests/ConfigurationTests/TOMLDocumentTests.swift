// SPDX-License-Identifier: MIT

import TestTools
import Testing

@testable import Configuration

@Suite("Documents in TOML")
struct TOMLDocumentTests {
    private func parse(_ text: String) throws -> TOMLTable { try TOMLDocument.parse(Array(text.utf8)) }

    private func error(_ bytes: [UInt8]) -> TOMLDocument.SyntaxError? {
        do throws(TOMLDocument.SyntaxError) {
            _ = try TOMLDocument.parse(bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test("A TOML document has values of all kinds, with their positions")
    func kinds() throws {
        let table = try parse(
            """
            text = "a\\tb\\u00e9"
            literal = 'C:\\x'
            "quoted key" = 1
            real = -1.5e3
            flag = true
            date = 2026-12-24
            time = 07:00:00
            fraction = 07:00:00.25
            both = 2026-12-24T07:00:00Z
            list = [
              1,
              "two",
            ]
            [a.b]
            c.d = 0x1F
            [[e]]
            [[e]]
            f = {}
            """)
        let names = table.entries.map(\.key)
        #expect(names.prefix(3) == ["text", "literal", "quoted key"] && names.suffix(2) == ["a", "e"])
        #expect(table["text"] == TOMLNode(.text("a\tb\u{e9}"), at: TOMLPosition(line: 1, column: 1)))
        #expect(table["literal"]?.value == .text("C:\\x"))
        #expect(table["quoted key"]?.value == .integer(1))
        #expect(table["real"]?.value == .real(-1500))
        #expect(table["flag"]?.value == .flag(true))
        #expect(table["date"]?.value == .date("2026-12-24"))
        #expect(table["time"]?.value == .time("07:00:00"))
        #expect(table["fraction"]?.value == .time("07:00:00.250000000"))
        #expect(table["both"]?.value == .dateTime("2026-12-24T07:00:00"))
        let two = TOMLNode(.text("two"), at: TOMLPosition(line: 12, column: 3))
        #expect(table["list"]?.value == .array([TOMLNode(.integer(1), at: TOMLPosition(line: 11, column: 3)), two]))
        guard case .table(let a)? = table["a"]?.value, case .table(let b)? = a["b"]?.value,
            case .table(let c)? = b["c"]?.value, case .array(let e)? = table["e"]?.value
        else { throw SetupError("tables are missing") }
        #expect(c["d"]?.value == .integer(31))
        #expect(e.map(\.position.line) == [16, 17])
    }

    /// Each text is a document; `|` stands for a line end.
    @Test("Valid TOML documents are accepted")
    func valid() throws {
        let documents = [
            "", "|", "# comment", "a=1", "a = 1 # comment", "a.b.c = 1", "a . b = 1", "\"a.b\" = 1", "'a' = 1",
            "\"\" = 1", "1 = 1", "a-b_C9 = 1", "a = +1_000", "a = 0o17", "a = 0b101", "a = inf", "a = -nan", "a = 1e10",
            "a = \"\"", "a = ''", "a = \"\"\"x|y\"\"\"", "a = '''x|'y'|'''", "a = \"\"\"\"x\"\"\"\"\"",
            "a = \"\"\"\\|   x\"\"\"", "a = \"\"\"\\|  \u{e9}\u{3042}\"\"\"", "a = []", "a = [1, 'two', [3]]",
            "a = [|1,|2,|]", "a = {}",
            "a = { b = 1, c.d = 2 }",
            "[a]|[a.b]|[c]", "[a.b]|[a]", "[[a]]|[[a]]|[[a.b]]|[[a.b]]", "[ a . 'b' ]", "a = 1979-05-27 07:32:00",
            "a = 1979-05-27T07:32:00.999-07:00", "a = 00:32:00.999999", "a = \"\\U0001F4FB\"", "a = '\u{1F4FB}'",
            "\u{FEFF}a = 1", "a = 1\r|b = 2\r|", "a = [{b = 1}, {b = 2}]",
        ]
        for document in documents {
            let bytes = Array(document.utf8).map { $0 == UInt8(ascii: "|") ? UInt8(ascii: "\n") : $0 }
            #expect(error(bytes) == nil, "\(document)")
        }
    }

    @Test("An invalid TOML document is rejected with the line of the error")
    func invalid() {
        let documents: [(String, Int)] = [
            ("a", 1), ("a =", 1), ("= 1", 1), ("a = 1 b = 2", 1), ("a = 1|a = 2", 2), ("a = 1|[a]", 2), ("[a]|[a]", 2),
            ("[a", 1), ("[]", 1), ("[[a]", 1), ("a = \"x", 1), ("a = 'x|'", 1), ("a = \"\\x\"", 1), ("a = [1", 1),
            ("a = {b = 1", 1), ("a = {b = 1,|c = 2}", 1), ("a = 01", 1), ("a = 1__0", 1), ("a = .5", 1), ("a = 5.", 1),
            ("a = 9223372036854775808", 1), ("a = True", 1), ("a = yes", 1), ("a = 2026-02-30", 1),
            ("a = 24:00:00", 1), ("x = 1||a = \"\\uD800\"", 3), ("a = \"\"\"x", 1), ("a.b = 1|a.b.c = 2", 2),
            ("[[a]]|[a]", 2), ("a = []|[[a]]", 2), ("a = 1\u{0}", 1), ("# \u{1}", 1), ("\u{FEFF}\u{FEFF}a=1", 1),
            ("a = 1\rb = 2", 1), ("\u{e9} = 1", 1), ("a = 1 \u{e9}", 1), ("a = \u{3042}", 1),
        ]
        for (document, line) in documents {
            let bytes = Array(document.utf8).map { $0 == UInt8(ascii: "|") ? UInt8(ascii: "\n") : $0 }
            let error = error(bytes)
            #expect(error != nil, "\(document)")
            let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
            #expect(error.map { (1...lines).contains($0.position.line) } != false)
            #expect(
                error.map { abs($0.position.line - line) <= 1 } != false, "\(document): \(String(describing: error))")
            #expect(error?.problem.contains("TOML") != false)
        }
    }

    @Test("A TOML document that is not UTF-8 is rejected with the line of the error")
    func encoding() {
        #expect(error(Array("a = 1\nb = \"".utf8) + [0xFF, 0x22])?.position.line == 2)
        #expect(error([0xFF, 0xFE, 0x61, 0x00])?.position.line == 1)
        // The document ends after the first half of a character.
        #expect(error(Array("a = \"".utf8) + [0xC3])?.position.line == 1)
    }

    @Test("TOML documents are limited in size, depth and number of values")
    func limits() {
        let long = [UInt8](repeating: UInt8(ascii: "\n"), count: TOMLDocument.largest)
        #expect(error(long) == nil)
        #expect(error(long + [UInt8(ascii: "\n")])?.problem == "the file is longer than 1 MiB")
        let ten = [UInt8](repeating: UInt8(ascii: "["), count: 10 << 20)
        #expect(error(ten)?.problem == "the file is longer than 1 MiB")

        let many = "a = [" + String(repeating: "1,", count: TOMLDocument.mostNodes) + "]"
        #expect(error(Array(many.utf8))?.problem == "there are more than 100000 values")
        for count in [40, 100_000] {
            for document in [
                "a = " + String(repeating: "[", count: count), "a = " + String(repeating: "{a=", count: count),
                String(repeating: "a.", count: count) + "a = 1",
                "[" + String(repeating: "a .'b'.", count: count) + "a]",
                String(repeating: "\"\".", count: count) + "a = 1",
                "[[" + String(repeating: "\"#\\\"\".", count: count) + "a]]",
                String(repeating: "[a.a.a.a]\n", count: 1) + String(repeating: "b.", count: count) + "b = 2",
            ] {
                #expect(error(Array(document.utf8)) != nil, "\(document.prefix(20))")
            }
        }
        // Each part is short enough by itself, but both together are too long.
        let part = String(repeating: "a.", count: 20) + "a"
        #expect(error(Array("[\(part)]\n\(part) = 1".utf8))?.problem.contains("32") == true)
        // Dots in texts and comments do not count as parts of a key.
        let dots = String(repeating: ".", count: 100)
        for text in ["\"\(dots)\"", "'\(dots)'", "'''\n\(dots)\n'''", "\"\"\"\"\(dots)\\\"\"\"\"\"", "1 # \(dots)"] {
            #expect(error(Array("a = \(text)\nb = '\(dots)'".utf8)) == nil, "\(text)")
        }
    }

    @Test("The message of a TOML error is one line and withholds addresses")
    func messages() {
        let words = error(Array("a = 1\n\"https://me:secret@x.example\" = 1\n\"https://me:secret@x.example\" = 2".utf8))
        #expect(words?.position.line == 3 && words?.problem == "this is not valid TOML")
        #expect(error(Array("a = \u{7}".utf8))?.problem.unicodeScalars.contains { $0.value < 0x20 } == false)
    }
}
