// SPDX-License-Identifier: MIT

import Testing

@testable import aircheck

struct MisspellingTests {
    private func message(_ arguments: String...) throws -> String? {
        Misspelling.find(in: arguments, of: try #require(CommandOutline.program))?.message
    }

    @Test("A misspelt option is answered with the right one, whatever follows it")
    func options() throws {
        let meant = "Unknown option '--duratoin'. Did you mean '--duration'?"
        #expect(try message("record", "http://a.example/", "--duratoin", "90m") == meant)
        #expect(try message("record", "--duratoin=90m", "http://a.example/") == meant)
        #expect(try message("record", "-duration", "90m") == "Unknown option '-duration'. Did you mean '--duration'?")
        #expect(try message("recordings", "list", "--jsno") == "Unknown option '--jsno'. Did you mean '--json'?")
        #expect(try message("relay", "--frobnicate") == "Unknown option '--frobnicate'.")
    }

    @Test("A misspelt subcommand is answered with the right one, also one of a subcommand")
    func subcommands() throws {
        #expect(try message("recrod", "http://a.example/") == "Unknown command 'recrod'. Did you mean 'record'?")
        #expect(try message("recordings", "lsit") == "Unknown command 'lsit'. Did you mean 'list'?")
        #expect(try message("frobnicate") == "Unknown command 'frobnicate'.")
        #expect(try message("help", "recrod") == "Unknown command 'recrod'. Did you mean 'record'?")
    }

    @Test("Words that are spelt right are not misspellings")
    func known() throws {
        #expect(try message("record", "http://a.example/", "--duration", "90m", "-q", "-n", "x") == nil)
        #expect(try message("relay", "--no-public", "--title-offset", "-2s", "--", "--duratoin") == nil)
        #expect(
            try message("--version") == nil && message("help", "record") == nil && message("help", "help") == nil
                && message("record", "--help") == nil)
        #expect(try message() == nil && message("record", "-qv") == nil)
    }
}
