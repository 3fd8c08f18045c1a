// SPDX-License-Identifier: MIT

import Engine
import Testing

struct CommandWordsTests {
    @Test(
        "A command line is split at blanks, except where quotes or a backslash keep them",
        arguments: [
            ("mp3gain", ["mp3gain"]), ("  a  b\tc ", ["a", "b", "c"]), ("a 'b  c' \"d e\"", ["a", "b  c", "d e"]),
            (#"a b\ c \'d"#, ["a", "b c", "'d"]), (#"a "\"x\" \\""#, ["a", #""x" \"#]), (#"a '\n'"#, ["a", #"\n"#]),
            ("a ''", ["a", ""]), ("a$HOME *;`b` | c > d", ["a$HOME", "*;`b`", "|", "c", ">", "d"]),
            ("pre'fix'ed", ["prefixed"]),
        ])
    func words(text: String, words: [String]) throws {
        #expect(try CommandWords.parse(text) == words)
    }

    @Test("What is no command line is said")
    func faults() {
        let faults: [(String, CommandWords.ParseError)] = [
            ("", .empty), ("  ", .empty), ("'' a", .empty), ("a 'b", .quoteUnclosed("'")),
            ("a \"b'", .quoteUnclosed("\"")), ("a \\", .nothingEscaped),
        ]
        for (text, fault) in faults {
            #expect(throws: fault, "\(text)") { try CommandWords.parse(text) }
        }
    }
}
