// SPDX-License-Identifier: MIT

import Glibc
import RadioFormats
import TestSupport
import TestTools
import Testing

/// `aircheck repair` completes the files that a crash has left in a folder.
struct RepairTests {
    @Test("A repair completes what a crash left, leaves alone what is being recorded, and overwrites nothing")
    func crash() async throws {
        let (origin, programme) = try await ScriptedOrigin.live()
        let folder = try TemporaryFolder()
        let arguments = ["record", origin.url(), "--segment", "none", "--output", folder.path, "--name"]
        let crashed = try Aircheck.start(arguments + ["crashed"])
        let running = try Aircheck.start(arguments + ["running"])
        let areGrowing = try await waitUntil(.seconds(60)) {
            ["crashed", "running"].allSatisfy { (try? folder.read("\($0).mp3.part").count) ?? 0 > 50_000 }
        }
        #expect(areGrowing)
        #expect(try await crashed.outcome(after: SIGKILL, within: .seconds(60)).ending == .signalled(SIGKILL))
        try folder.write("crashed.mp3", [1, 2, 3])
        try folder.write("download.mp3.part", [UInt8](repeating: 7, count: 1_000))

        let names = try folder.contents()
        let plan = try await Aircheck.run(["repair", folder.path, "--dry-run"])
        #expect(plan.ending == .exited(0) && plan.text.contains("would complete \(folder.file("crashed.mp3.part"))"))
        #expect(plan.text.contains("left alone: \(folder.file("running.mp3.part"))"), "\(plan.text)")
        #expect(!plan.text.contains("download"))
        #expect(try folder.contents() == names)

        let repair = try await Aircheck.run(["repair", folder.path, "--json"])
        #expect(repair.ending == .exited(0), "\(repair.standardError)")
        let files = try JSONValue(parsing: repair.standardOutput, limit: 1 << 20)["files"]?.arrayValue ?? []
        #expect(files.compactMap { $0["state"]?.stringValue } == ["in-use", "completed"], "\(repair.text)")
        #expect(try folder.read("crashed.mp3") == [1, 2, 3])
        #expect(try folder.read("download.mp3.part").count == 1_000)
        let checked = try programme.checker().check(try folder.read("crashed (2).mp3"))
        #expect(checked.lost.isEmpty && checked.foreign == 0 && checked.places.count > 100, "\(checked)")

        running.terminate()
        #expect(try await running.outcome(within: .seconds(60)).ending == .exited(0))
        #expect(try await Aircheck.run(["repair", folder.path]).text == "nothing is left to complete\n")
    }

    @Test("A file that may not be written is an error that names it")
    func permissions() async throws {
        let folder = try TemporaryFolder()
        let script = """
            mkdir disk && mount -t tmpfs none disk && : > disk/show.mp3.part && mount -o remount,ro disk && "$@"
            """
        let child = try ChildProcess(
            "/usr/bin/unshare",
            ["--map-root-user", "--mount", "/bin/sh", "-c", script, "sh", try aircheckBinary(), "repair", "disk"],
            directory: folder.path)
        let outcome = try await child.outcome(within: .seconds(30))
        #expect(outcome.ending == .exited(74) && outcome.text.contains("disk/show.mp3.part"), "\(outcome)")
        #expect(outcome.text.contains("the file system is read-only"), "\(outcome.text)")
    }

    @Test("A folder that does not exist is wrong usage")
    func missing() async throws {
        let outcome = try await Aircheck.run(["repair", "/nonexistent/radio"])
        #expect(outcome.ending == .exited(64) && outcome.standardError.contains("/nonexistent/radio"))
    }
}
