// SPDX-License-Identifier: MIT

import Glibc
import TestSupport
import Testing

/// A password that is asked for at a terminal.
struct PasswordPromptTests {
    @Test("The password is not shown, and the terminal shows again what is typed after it")
    func answered() async throws {
        let terminal = try Terminal()
        try await terminal.waitForQuestions(1)
        try terminal.type("s3cret\n")
        let said = try await terminal.end()
        #expect(said.contains("anna:$") && said.contains("ended 0") && !said.contains("s3cret"), "\(said)")
        #expect(Self.hasEcho(said), "\(said)")
    }

    @Test(
        "Ctrl-C and Ctrl-\\ end the program and leave the terminal as it was",
        arguments: [("\u{3}", 130), ("\u{1C}", 131)])
    func interrupted(key: String, status: Int) async throws {
        let terminal = try Terminal()
        try await terminal.waitForQuestions(1)
        try terminal.type("half" + key)
        let said = try await terminal.end()
        #expect(said.contains("ended \(status)") && !said.contains("half"), "\(said)")
        #expect(Self.hasEcho(said), "\(said)")
    }

    @Test("Where a signal from elsewhere asks it to end, too")
    func terminated() async throws {
        let terminal = try Terminal()
        try await terminal.waitForQuestions(1)
        let killing = try await ChildProcess("/bin/sh", ["-c", "kill $(cat \"$0\")", terminal.pidFile])
            .outcome(within: .seconds(10))
        #expect(killing.succeeded)
        let said = try await terminal.end()
        #expect(said.contains("ended 143") && Self.hasEcho(said), "\(said)")
    }

    @Test("Two signals at once end it as one does")
    func terminatedTwice() async throws {
        let terminal = try Terminal()
        try await terminal.waitForQuestions(1)
        let command = "p=$(cat \"$0\"); kill -STOP $p; kill -TERM $p; kill -HUP $p; kill -QUIT $p; kill -CONT $p"
        let killing = try await ChildProcess("/bin/sh", ["-c", command, terminal.pidFile]).outcome(within: .seconds(10))
        #expect(killing.succeeded)
        let said = try await terminal.end()
        // 128 and the number of one of them.
        let endings = [129, 131, 143].map { "ended \($0)" }
        #expect(endings.contains { said.contains($0) } && Self.hasEcho(said), "\(said)")
    }

    @Test("Whoever stops it with Ctrl-Z is asked again")
    func stopped() async throws {
        let terminal = try Terminal()
        try await terminal.waitForQuestions(1)
        // Nobody could continue it in this terminal, so that the kernel does not stop it (setpgid(2), orphaned groups).
        try terminal.type("\u{1A}")
        try await terminal.waitForQuestions(2)
        try terminal.type("s3cret\n")
        let said = try await terminal.end()
        #expect(said.contains("anna:$") && said.contains("ended 0") && Self.hasEcho(said), "\(said)")
    }

    /// What `stty` says.
    private static func hasEcho(_ said: String) -> Bool { said.split { " ;\r\n".contains($0) }.contains("echo") }

    /// `aircheck password` in a terminal of its own (script(1)), and after it `stty`.
    private struct Terminal {
        private let process: ChildProcess
        private let folder: TemporaryFolder
        private let keyboard: CInt

        /// Names the program's process.
        var pidFile: String { folder.file("pid") }

        init() throws {
            folder = try TemporaryFolder()
            let path = folder.file("keyboard")
            try #require(mkfifo(path, 0o600) == 0)
            keyboard = open(path, O_RDWR | O_CLOEXEC)
            try #require(keyboard >= 0)
            let program = try folder.write(
                "session",
                """
                ulimit -c 0
                trap : INT QUIT
                sh -c 'echo $$ > "$1"; exec "$0" password anna' '\(try aircheckBinary())' '\(folder.file("pid"))'
                echo "ended $?"
                stty -a
                """)
            // Swift's own handler of Ctrl-\ would open a debugger in a terminal.
            process = try ChildProcess(
                "/bin/sh", ["-c", "exec script --quiet --command \"exec sh '$0'\" /dev/null < \"$1\"", program, path],
                environment: ["SHELL": "/bin/sh", "SWIFT_BACKTRACE": "enable=no"])
        }

        /// Waits until it has asked so often.
        func waitForQuestions(_ count: Int) async throws {
            let process = process
            let isAsked = try await waitUntil(.seconds(60)) {
                let said = String(decoding: process.outputSoFar, as: UTF8.self)
                return !process.isRunning || said.ranges(of: "password:").count >= count
            }
            guard isAsked, process.isRunning else {
                let said = String(decoding: process.outputSoFar, as: UTF8.self)
                throw SetupError("not asked: \(process.errorSoFar)\n\(said)")
            }
        }

        func type(_ text: String) throws {
            let bytes = Array(text.utf8)
            // A pipe takes so little at once.
            try #require(write(keyboard, bytes, bytes.count) == bytes.count)
        }

        /// What was on the screen, once all is over.
        func end() async throws -> String {
            defer { close(keyboard) }
            return try await process.outcome(within: .seconds(30)).text
        }
    }
}
