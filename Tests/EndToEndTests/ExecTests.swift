// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import RadioFormats
import TestSupport
import TestTools
import Testing

/// Programs that `record --exec` runs for finished files.
struct ExecTests {
    private static func origin() async throws -> ScriptedOrigin {
        let programme = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 20, seed: 3))
        let body = ICYBody(programme.bytes, interval: 8192, titles: [(0, "Ann - $(reboot)"), (120_000, "Bob - Two")])
        return try ScriptedOrigin([.request, .icyHead(interval: 8192), .send(body.bytes), .stall(Gate())])
    }

    @Test("Each finished file is handed to a program, with what is known of it, and failures only are said")
    func files() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "script", "cat > \"$1.in\"; echo \"$2\"; case \"$1\" in *Bob*) exit 7;; *) sleep 1; echo done;; esac")
        let origin = try await Self.origin()
        let outcome = try await Aircheck.run(
            [
                "record", origin.url(), "--as", "X", "--segment", "title", "--duration", "3s", "--json",
                "--output", "music", "--exec", "sh script",
            ], directory: folder.path)
        #expect(outcome.ending == .exited(0), "\(outcome.standardError)")
        let report = try JSONValue(parsing: outcome.standardOutput, limit: 1 << 20)
        #expect(report["exec"]?["runs"]?.integerValue == 2, "\(outcome.text)")
        #expect(report["exec"]?["failed"]?.integerValue == 1 && report["error"] == .null, "\(outcome.text)")
        #expect(outcome.standardError.contains("it ended with exit status 7"), "\(outcome.standardError)")
        let input = try folder.read("music/X/Ann - $(reboot) (incomplete).mp3.in")
        let said = try JSONValue(parsing: input, limit: 1 << 20)
        let path = said["file"]?.stringValue ?? ""
        #expect(path.hasPrefix("/") && path.hasSuffix("/music/X/Ann - $(reboot) (incomplete).mp3"), "\(path)")
        #expect(said["station"]?.stringValue == "X" && (said["frames"]?.integerValue ?? 0) > 100)
        #expect(said["whole_song"] == .bool(false))
        let written = try folder.read("music/X/Ann - $(reboot) (incomplete).json")
        let sidecar = try JSONValue(parsing: written, limit: 1 << 20)
        #expect(said["xxh64"]?.stringValue != nil && said["xxh64"] == sidecar["xxh64"])
        // Before it ended, `record` waited for the program.
        #expect(outcome.standardError.contains("done"), "\(outcome.standardError)")
        withExtendedLifetime(origin) {}
    }

    @Test("A file that a crash has left unfinished is handed to the program of the next run, marked as recovered")
    func recovered() async throws {
        let (origin, _) = try await ScriptedOrigin.live()
        let folder = try TemporaryFolder()
        try folder.write("script", "cat > \"$1.in\"")
        let arguments = ["record", origin.url(), "--segment", "none", "--exec", "sh script", "--name"]
        let crashed = try Aircheck.start(arguments + ["crashed"], directory: folder.path)
        let isGrowing = try await waitUntil(.seconds(60)) {
            ((try? folder.read("crashed.mp3.part").count) ?? 0) > 50_000
        }
        #expect(isGrowing)
        #expect(try await crashed.outcome(after: SIGKILL, within: .seconds(60)).ending == .signalled(SIGKILL))
        let next = try await Aircheck.run(arguments + ["next", "--duration", "1s"], directory: folder.path)
        #expect(next.ending == .exited(0), "\(next.standardError)")
        let said = try ["crashed", "next"].map {
            try JSONValue(parsing: folder.read("\($0).mp3.in"), limit: 1 << 20)["recovered"]
        }
        #expect(said == [true, nil], "\(next.standardError)")
    }

    @Test("A program that does not exist is a wrong command line")
    func missing() async throws {
        for arguments in [
            ["--exec", "no-such-program"], ["--exec", "sh", "--output", "-"], ["--exec-timeout", "5s"],
        ] {
            let outcome = try await Aircheck.run(["record", "http://127.0.0.1:9/"] + arguments)
            #expect(outcome.ending == .exited(64), "\(outcome.standardError)")
        }
    }

    @Test("While programs are waited for, a second signal ends Aircheck at once")
    func secondSignal() async throws {
        let folder = try TemporaryFolder()
        try folder.write("script", "sleep 100 & echo $! > child; touch ran; wait")
        let origin = try await Self.origin()
        let child = try Aircheck.start(
            ["record", origin.url(), "--segment", "none", "--duration", "1s", "--exec", "sh script"],
            directory: folder.path)
        #expect(try await waitUntil(.seconds(60)) { try folder.contents().contains("ran") })
        #expect(try await waitUntil(.seconds(60)) { child.errorSoFar.contains("waiting for 1 program that works") })
        child.signal(SIGINT)
        // Two signals within half a second count as one, so signals are sent until the program has ended.
        let hasEnded = try await waitUntil(.seconds(60)) {
            child.signal(SIGINT)
            return !child.isRunning
        }
        #expect(hasEnded)
        let outcome = try await child.outcome(within: .seconds(60))
        #expect(outcome.ending == .exited(128 + SIGINT), "\(outcome.standardError)")
        // The process that the program has started ends with it.
        let id = String(decoding: try folder.read("child"), as: UTF8.self).filter(\.isNumber)
        let isOver = try await waitUntil(.seconds(10)) {
            let status = (try? bytes(ofFile: "/proc/\(id)/stat")).map { String(decoding: $0, as: UTF8.self) }
            return status?.contains(") Z ") ?? true
        }
        #expect(isOver)
        withExtendedLifetime(origin) {}
    }
}
