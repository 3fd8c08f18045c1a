// SPDX-License-Identifier: MIT

import TestSupport
import TestTools
import Testing

/// How much is said on standard error, and in which form.
struct DetailTests {
    private static func station() async throws -> (ScriptedOrigin, ReferenceProgramme) {
        let programme = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 20, seed: 3))
        let origin = try ScriptedOrigin(
            [.request, .icyHead(), .pace(Array(programme.bytes[..<16_000]), bytesPerSecond: 16_000), .reset],
            [.request, .redirect(to: "/other"), .close],
            [.request, .icyHead(), .pace(programme.bytes, bytesPerSecond: 16_000), .stall(Gate())])
        return (origin, programme)
    }

    @Test("A quiet recording says nothing while all is well, and one line with a remedy where nothing came")
    func quiet() async throws {
        let (origin, _) = try await Self.station()
        let folder = try TemporaryFolder()
        let arguments = ["record", "--quiet", "--duration", "4s", "--output", folder.path]
        let outcome = try await Aircheck.run(arguments + [origin.url()])
        #expect(outcome.ending == .exited(0) && outcome.standardError == "", "\(outcome.standardError)")
        #expect(try folder.contents().contains { $0.hasSuffix(".mp3") })

        let missing = try ScriptedOrigin([.request, .failure(404, "Not Found"), .close])
        let failed = try await Aircheck.run(arguments + [missing.url(), "--give-up", "1s"])
        #expect(failed.ending == .exited(69))
        let lines = failed.standardError.split(separator: "\n")
        #expect(lines.count == 1 && lines.first?.contains("check the address") == true, "\(failed.standardError)")
    }

    @Test("A verbose recording says which attempt it is, which address answered what, and after which redirects")
    func verbose() async throws {
        let (origin, _) = try await Self.station()
        let folder = try TemporaryFolder()
        let outcome = try await Aircheck.run(
            ["record", "-v", "--duration", "4s", "--output", folder.path, origin.url()])
        let said = outcome.standardError
        #expect(said.contains("127.0.0.1 answered ICY 200 for \(origin.url())"), "\(said)")
        #expect(said.contains("connecting to \(origin.url()), attempt 2"), "\(said)")
        #expect(said.contains("for \(origin.url("/other")), after 1 redirect"), "\(said)")
    }

    @Test("Lines for journald have no time of their own, and files stand below their summary")
    func journal() async throws {
        let (origin, _) = try await Self.station()
        let folder = try TemporaryFolder()
        let script = "JOURNAL_STREAM=$(stat -L -c %d:%i /proc/$$/fd/2) exec \"$0\" \"$@\""
        let arguments = ["record", origin.url(), "--duration", "1s", "--output", folder.path]
        let outcome = try await ChildProcess("/bin/sh", ["-c", script, try aircheckBinary()] + arguments)
            .outcome(within: .seconds(60))
        let lines = outcome.standardError.split(separator: "\n")
        #expect(lines.first == "connecting to \(origin.url())", "\(outcome.standardError)")
        #expect(lines.contains { $0.hasPrefix("  \(folder.path)/") }, "\(outcome.standardError)")
    }

    @Test("Audio is not written to a terminal")
    func terminal() async throws {
        let command = "'\(try aircheckBinary())' record http://127.0.0.1:1/ --output -"
        let outcome = try await ChildProcess(
            "/bin/sh", ["-c", "exec script --quiet --return --command \"$0\" /dev/null < /dev/null", command]
        ).outcome(within: .seconds(60))
        #expect(outcome.ending == .exited(64), "\(outcome.text)")
        #expect(outcome.text.contains("name a folder"), "\(outcome.text)")
    }
}
