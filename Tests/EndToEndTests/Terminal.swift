// SPDX-License-Identifier: MIT

import Glibc
import TestTools
import Testing

/// `aircheck` in a terminal of its own (script(1)). After it ends, `stty` prints the state in which the program left
/// the terminal.
struct Terminal {
    private let process: ChildProcess
    private let folder: TemporaryFolder
    private let keyboard: CInt

    /// The path of the file that contains the program's process ID.
    var pidFile: String { folder.file("pid") }

    /// `command` is the part of the command line after the program's name, in shell syntax. With `isJob`, a shell with
    /// job control runs the program, prints the terminal's state while the program is stopped, and continues it.
    init(_ command: String, environment: [String: String] = [:], isJob: Bool = false) throws {
        folder = try TemporaryFolder()
        let path = folder.file("keyboard")
        try #require(mkfifo(path, 0o600) == 0)
        keyboard = open(path, O_RDWR | O_CLOEXEC)
        try #require(keyboard >= 0)
        let stop = "echo \"stopped $?\"; stty -a; fg > /dev/null"
        let program = try folder.write(
            "session",
            """
            ulimit -c 0
            stty columns 120
            trap : INT QUIT
            \(isJob ? "set -m" : "")
            sh -c 'echo $$ > "$1"; exec "$0" \(command)' '\(try aircheckBinary())' '\(folder.file("pid"))'
            \(isJob ? stop : "")
            echo "ended $?"
            stty -a
            """)
        // Swift's own handler of Ctrl-\\ would open a debugger in a terminal.
        let own = ["SHELL": "/bin/sh", "TERM": "xterm", "SWIFT_BACKTRACE": "enable=no"]
        process = try ChildProcess(
            "/bin/sh", ["-c", "exec script --quiet --command \"exec sh '$0'\" /dev/null < \"$1\"", program, path],
            environment: own.merging(environment) { $1 })
    }

    /// Waits until a text has appeared `count` times.
    func waits(for text: String, times count: Int = 1) async throws {
        let process = process
        let appears = try await waitUntil(.seconds(60)) {
            let said = String(decoding: process.outputSoFar, as: UTF8.self)
            return !process.isRunning || said.ranges(of: text).count >= count
        }
        guard appears, process.isRunning else {
            let said = String(decoding: process.outputSoFar, as: UTF8.self)
            throw SetupError("no '\(text)': \(process.errorSoFar)\n\(said)")
        }
    }

    func type(_ text: String) throws {
        let bytes = Array(text.utf8)
        // A pipe accepts as few bytes as these in one write.
        try #require(write(keyboard, bytes, bytes.count) == bytes.count)
    }

    /// Types once a text has appeared `count` times.
    func type(_ text: String, after sign: String, times count: Int = 1) async throws {
        try await waits(for: sign, times: count)
        try type(text)
    }

    /// Sends the program a signal.
    func signal(_ name: String) async throws {
        let killing = try await ChildProcess("/bin/sh", ["-c", "kill -\(name) $(cat \"$0\")", pidFile])
            .outcome(within: .seconds(10))
        #expect(killing.succeeded)
    }

    /// The whole content of the screen, after the end of the program.
    func end() async throws -> String {
        defer { close(keyboard) }
        return try await process.outcome(within: .seconds(30)).text
    }

    /// Whether `stty` reports echo and line-by-line input.
    static func isAsBefore(_ said: String) -> Bool {
        let words = Set(said.split { " ;\r\n".contains($0) })
        return words.contains("echo") && words.contains("icanon")
    }
}
