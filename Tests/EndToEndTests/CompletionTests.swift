// SPDX-License-Identifier: MIT

import Glibc
import TestTools
import Testing

/// The completion scripts of the program, run by the shells that they are for.
struct CompletionTests {
    @Test("Shells complete values, files and folders", arguments: CompletingShell.allCases)
    func values(shell: CompletingShell) async throws {
        let folder = try TemporaryFolder()
        try folder.write("radio.toml", "")
        try folder.write("roots.pem", "")
        #expect(mkdir(folder.file("recordings"), 0o755) == 0)
        func offered(_ line: String) async throws -> Set<String> {
            try await shell.candidates(for: line, in: folder)
        }
        #expect(try await offered("record --segment ").isSuperset(of: ["title", "none", "1h", "15m"]))
        #expect(try await offered("relay x -s t") == ["title"])
        #expect(try await offered("probe --charset koi") == ["koi8-r", "koi8-u"])
        #expect(try await offered("play --repeat ") == ["none", "one", "all"])
        #expect(try await offered("record --output r") == ["recordings"])
        #expect(try await offered("record --ca-file r") == ["radio.toml", "roots.pem", "recordings"])
        for option in ["--netrc-file", "--access-log"] {
            #expect(try await offered("relay \(option) r") == ["radio.toml", "roots.pem", "recordings"])
        }
        #expect(try await offered("serve --config r") == ["radio.toml", "recordings"])
        #expect(try await offered("help sch") == ["schedule"])
        #expect(try await offered("help ").isSuperset(of: ["record", "relay", "recordings"]))
        #expect(try await offered("recordings ex") == ["export"])
    }

    /// fish 3 has the words of a command line only in a terminal, so it is not tested here.
    @Test(
        "Shells complete what a running daemon has, and nothing where none runs",
        arguments: [CompletingShell.bash, .zsh])
    func daemon(shell: CompletingShell) async throws {
        let serving = try Serving(
            Serving.station("nova", "http://127.0.0.1:9/nova", "on-demand = true")
                + Serving.station(
                    "nachtmusik", "http://127.0.0.1:9/nacht", Serving.distantShow("jazz")))
        let line = "recordings list --socket \(serving.socket) --station n"
        #expect(try await shell.candidates(for: line, in: serving.folder).isEmpty)
        try await serving.start()
        #expect(try await shell.candidates(for: line, in: serving.folder) == ["nova", "nachtmusik"])
        #expect(try await shell.candidates(for: "skip --socket \(serving.socket) j", in: serving.folder) == ["jazz"])
        #expect(try await shell.candidates(for: "stop --socket \(serving.socket) ", in: serving.folder).isEmpty)
    }
}
