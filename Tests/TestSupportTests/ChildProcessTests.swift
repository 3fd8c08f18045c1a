// SPDX-License-Identifier: MIT

import Glibc
import TestTools
import Testing

struct ChildProcessTests {
    @Test("Output, errors and exit status of a process are kept, however much it writes")
    func output() async throws {
        let child = try ChildProcess(
            "/bin/sh", ["-c", "head -c 3000000 /dev/zero; echo \"$GREETING\" >&2; pwd >&2; exit 3"],
            environment: ["GREETING": "hello"], directory: "/usr")
        let outcome = try await child.outcome(within: .seconds(60))
        #expect(outcome.ending == .exited(3) && !outcome.succeeded)
        #expect(outcome.standardOutput.count == 3_000_000 && outcome.standardError == "hello\n/usr\n")
        #expect(!child.isRunning && outcome.peakMemory > 0)
    }

    @Test("A process that outlives the limit is reported and continues, and a signal ends it")
    func limit() async throws {
        let child = try ChildProcess("/bin/sleep", ["1000"])
        await #expect(throws: SetupError.self) { try await child.outcome(within: .milliseconds(20)) }
        #expect(child.isRunning)
        child.terminate()
        let outcome = try await child.outcome(within: .seconds(60))
        #expect(outcome.ending == .signalled(SIGTERM))
        child.terminate()
    }

    @Test("A process and its children end with the object")
    func endsWithObject() async throws {
        let folder = try TemporaryFolder()
        var child: ChildProcess? = try ChildProcess(
            "/bin/sh", ["-c", "sleep 1000 & echo $! > \(folder.file("pid")); wait"])
        #expect(try await waitUntil(.seconds(60)) { try folder.contents() == ["pid"] && !folder.read("pid").isEmpty })
        let text = String(decoding: try folder.read("pid").dropLast(), as: UTF8.self)
        let grandchild = try #require(pid_t(text))
        #expect(kill(grandchild, 0) == 0 && child != nil)
        child = nil
        // The process that adopts the orphan reaps it. Until then it is a zombie, which has ended as well.
        let hasEnded = try await waitUntil(.seconds(60)) {
            guard let status = try? bytes(ofFile: "/proc/\(grandchild)/stat") else { return true }
            return String(decoding: status, as: UTF8.self).contains(") Z ")
        }
        #expect(hasEnded)
    }

    @Test("A program that does not exist is reported by name")
    func missing() throws {
        let error = #expect(throws: SetupError.self) { try ChildProcess("/nowhere/program", []) }
        #expect(error?.description.contains("/nowhere/program") == true)
    }
}
