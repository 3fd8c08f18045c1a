// SPDX-License-Identifier: MIT

import Glibc
import TestTools
import Testing

/// A password that is asked for at a terminal.
struct PasswordPromptTests {
    private let terminal: Terminal

    init() throws { terminal = try Terminal("password anna") }

    @Test("The password is not echoed, and the terminal echoes again afterwards")
    func answered() async throws {
        try await terminal.type("s3cret\n", after: "password:")
        let said = try await terminal.end()
        #expect(said.contains("anna:$") && said.contains("ended 0") && !said.contains("s3cret"), "\(said)")
        #expect(Terminal.isAsBefore(said), "\(said)")
    }

    @Test(
        "Ctrl-C and Ctrl-\\ end the program and leave the terminal as it was",
        arguments: [("\u{3}", 130), ("\u{1C}", 131)])
    func interrupted(key: String, status: Int) async throws {
        try await terminal.type("half" + key, after: "password:")
        let said = try await terminal.end()
        #expect(said.contains("ended \(status)") && !said.contains("half"), "\(said)")
        #expect(Terminal.isAsBefore(said), "\(said)")
    }

    @Test("A signal from another process ends the prompt and restores the terminal")
    func terminated() async throws {
        try await terminal.waits(for: "password:")
        let killing = try await ChildProcess("/bin/sh", ["-c", "kill $(cat \"$0\")", terminal.pidFile])
            .outcome(within: .seconds(10))
        #expect(killing.succeeded)
        let said = try await terminal.end()
        #expect(said.contains("ended 143") && Terminal.isAsBefore(said), "\(said)")
    }

    @Test("Several signals at once end the prompt as one does")
    func terminatedTwice() async throws {
        try await terminal.waits(for: "password:")
        let command = "p=$(cat \"$0\"); kill -STOP $p; kill -TERM $p; kill -HUP $p; kill -QUIT $p; kill -CONT $p"
        let killing = try await ChildProcess("/bin/sh", ["-c", command, terminal.pidFile]).outcome(within: .seconds(10))
        #expect(killing.succeeded)
        let said = try await terminal.end()
        // The exit status is 128 plus the number of one of the signals.
        let endings = [129, 131, 143].map { "ended \($0)" }
        #expect(endings.contains { said.contains($0) } && Terminal.isAsBefore(said), "\(said)")
    }

    @Test("Ctrl-Z at the prompt makes it ask again")
    func stopped() async throws {
        try await terminal.waits(for: "password:")
        // Nobody can continue a stopped program in this terminal, so the kernel does not stop it (setpgid(2), orphaned
        // groups).
        try terminal.type("\u{1A}")
        try await terminal.type("s3cret\n", after: "password:", times: 2)
        let said = try await terminal.end()
        #expect(said.contains("anna:$") && said.contains("ended 0") && Terminal.isAsBefore(said), "\(said)")
    }
}
