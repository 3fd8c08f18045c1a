// SPDX-License-Identifier: MIT

import TestSupport
import TestTools
import Testing

struct FullDiskTests {
    @Test("A recording leaves as much of its disk free as the user wants, and says so", arguments: ["900kB", "2TB"])
    func keptFree(size: String) async throws {
        let (origin, _) = try await ScriptedOrigin.live()
        let folder = try TemporaryFolder()
        let script = """
            mkdir disk && mount -t tmpfs -o size=1m none disk
            "$@" ; status=$?
            df --output=used -B1 disk | tail -1; exit $status
            """
        let child = try ChildProcess(
            "/usr/bin/unshare",
            ["--map-root-user", "--mount", "/bin/sh", "-c", script, "sh", try aircheckBinary(), "record", origin.url()]
                + ["--segment", "none", "--duration", "15s", "--output", "disk", "--keep-free", size],
            directory: folder.path)
        // The end waits for space, for forty seconds.
        let outcome = try await child.outcome(within: .seconds(90))
        #expect(outcome.ending == .exited(74), "\(outcome.standardError)")
        #expect(outcome.standardError.contains("must stay free"), "\(outcome.standardError)")
        let used = try #require(Int(outcome.text.filter(\.isNumber)))
        #expect(used < 165_000 && (size == "2TB" ? used == 0 : used > 60_000), "\(used)")
    }

    @Test("A disk that fills up is reported, and the audio recorded before is complete and playable")
    func fullDisk() async throws {
        let programme = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 20, seed: 3))
        let origin = try ScriptedOrigin(
            [.request, .icyHead(), .pace(programme.bytes, bytesPerSecond: 40_000), .stall(Gate())])
        let folder = try TemporaryFolder()
        // The script makes a file system of 160 KiB in a mount namespace of its own, and copies its contents out at the
        // end.
        let script = """
            mkdir disk saved && mount -t tmpfs -o size=160k none disk
            "$@" ; status=$?
            cp -r disk/. saved; exit $status
            """
        let child = try ChildProcess(
            "/usr/bin/unshare",
            ["--map-root-user", "--mount", "/bin/sh", "-c", script, "sh", try aircheckBinary(), "record", origin.url()]
                + ["--segment", "none", "--duration", "7s", "--json", "--output", "disk", "--keep-free", "0B"],
            directory: folder.path)
        // The end waits for space, for forty seconds.
        let outcome = try await child.outcome(within: .seconds(90))
        #expect(outcome.ending == .exited(74), "\(outcome.standardError)")
        let report = try Report(outcome)
        #expect(report.error?.class == "storage" && report.error?.message.contains("space") == true, "\(report)")
        #expect(report.error.map { outcome.standardError.contains($0.remedy) } == true)

        #expect(report.error?.message.contains(".mp3.part") == true && report.error?.remedy == "free some space there")
        let gap = try #require(report.gaps.first)
        #expect(report.gaps.count == 1 && gap.position == report.frames, "\(report)")
        #expect(gap.seconds.map { (12...20.1).contains(report.seconds + $0) } == true, "\(report)")

        let checker = try programme.checker()
        let audio = try folder.contents().filter { $0.hasPrefix("saved/") && $0.contains(".mp3") }
        #expect(!audio.isEmpty)
        let first = try #require(audio.first)
        let found = checker.check(try folder.read(first))
        #expect(found.isExact && found.first == 0 && found.places.count > 150, "\(found)")
        #expect(try await onThread { try MediaProbe.decodingErrors(folder.file(first)) } == "")
    }

    @Test("D24: A daemon without disk space for its lock ends with a status that asks for a restart")
    func noRoomForTheLock() async throws {
        let serving = try Serving(Serving.station("fip", "http://127.0.0.1:9/", "record = \"always\""))
        try serving.configure("[storage]\nstate = \"disk\"\n")
        // The script makes a file system that has no room for one more file.
        let script = """
            mkdir disk && mount -t tmpfs -o nr_inodes=3 none disk && touch disk/one disk/two && ! touch disk/three
            exec "$@"
            """
        let child = try ChildProcess(
            "/usr/bin/unshare",
            ["--map-root-user", "--mount", "/bin/sh", "-c", script, "sh", try aircheckBinary(), "serve"]
                + ["--config", serving.folder.file("config.toml"), "--socket", serving.socket],
            directory: serving.folder.path)
        let outcome = try await child.outcome(within: .seconds(40))
        #expect(outcome.ending == .exited(74), "\(outcome.standardError)")
        #expect(outcome.standardError.contains("free some space there"), "\(outcome.standardError)")
    }
}
