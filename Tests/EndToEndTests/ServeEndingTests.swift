// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Instants
import RadioFormats
import TestSupport
import TestTools
import Testing

/// How the daemon ends when it gets a signal at a bad moment.
struct ServeEndingTests {
    private let origin: ScriptedOrigin

    init() throws { origin = try Self.origin() }

    private static let programme = Broadcast([.music(.seconds(120))], MPEGShape(128))

    private static func origin() throws -> ScriptedOrigin {
        try ScriptedOrigin(LiveScript(.stream(LiveStream(programme))))
    }

    private static func isRecording(_ serving: Serving, _ id: String = "fip") async throws -> Bool {
        try await waitUntil(.seconds(30)) { serving.log.contains("[\(id)] recording to") }
    }

    /// Expects this many complete files, each with an unbroken stretch of the programme.
    private static func expectFiles(
        _ count: Int, of serving: Serving, at location: SourceLocation = #_sourceLocation
    ) throws {
        let files = serving.files
        #expect(
            files.count == count && files.allSatisfy { $0.hasSuffix(".mp3") }, "\(files)", sourceLocation: location)
        for file in files {
            let frames = FrameChecker(programme).check([try serving.folder.read(file)])
            #expect(frames.isExact && frames.places.count > 10, "\(file): \(frames)", sourceLocation: location)
        }
    }

    @Test(
        "H3: A signal while a station's connection hangs ends the daemon with complete files",
        arguments: [SIGTERM, SIGINT])
    func connecting(_ number: CInt) async throws {
        let port = try Loopback.freePort()
        let hole = try BlackHole(address: "127.0.0.2", port: port)
        let serving = try await Serving.started(
            Serving.station("fip", origin.url("/fip"), "record = \"always\"")
                + Serving.station("hole", "http://127.0.0.2:\(port)/hole", "record = \"always\""))
        #expect(try await Self.isRecording(serving))
        let status = try await serving.object(["status"])
        let stations = status["stations"]?.arrayValue?.map { $0["state"]?.stringValue }
        #expect(stations?.first == "live" && ["connecting", "waiting"].contains(stations?.last), "\(status)")

        let asked = MonotonicInstant.now
        serving.process?.signal(number)
        let outcome = try #require(try await serving.process?.outcome(within: .seconds(30)))
        #expect(outcome.ending == .exited(0) && outcome.standardError.contains("notice: stopped"), "\(outcome)")
        #expect(outcome.endedAt - asked < .seconds(5))
        try Self.expectFiles(1, of: serving)
        withExtendedLifetime(hole) {}
    }

    @Test("H3: A second signal while a hook delays the end exits at once, with complete files")
    func hangingHook() async throws {
        let serving = try Serving(Serving.station("fip", origin.url("/fip"), "record = \"always\""))
        let (pipe, mark) = (serving.folder.file("pipe"), serving.folder.file("called"))
        #expect(mkfifo(pipe, 0o600) == 0)
        // Nobody ever writes to the pipe, so the hook hangs.
        try serving.configure(
            Serving.station("fip", origin.url("/fip"), "record = \"always\"")
                + """
                [[hook]]
                on = ["recording-finished"]
                run = ["/bin/sh", "-c", "touch '\(mark)'; exec cat '\(pipe)'"]

                """)
        try await serving.start()
        #expect(try await Self.isRecording(serving))

        let asked = MonotonicInstant.now
        serving.process?.terminate()
        #expect(try await waitUntil(.seconds(5)) { serving.folder.names().contains("called") })
        // A second signal within half a second of the first one counts as the same signal, so wait longer.
        #expect(try await waitUntil(.seconds(5)) { .now - asked > .milliseconds(600) })
        #expect(serving.process?.isRunning == true)
        let insisted = MonotonicInstant.now
        serving.process?.terminate()
        let outcome = try #require(try await serving.process?.outcome(within: .seconds(30)))
        #expect(outcome.ending == .exited(128 + SIGTERM) && outcome.endedAt - insisted < .seconds(2), "\(outcome)")
        try Self.expectFiles(1, of: serving)
    }

    @Test("H3: A signal with a hanging disk ends the daemon in eight seconds, and the next start completes the file")
    func hangingDisk() async throws {
        let (serving, disk) = try await Self.recordingOnHangingDisk(origin)

        let asked = MonotonicInstant.now
        serving.process?.terminate()
        let outcome = try #require(try await serving.process?.outcome(within: .seconds(30)))
        #expect(outcome.ending == .exited(0), "\(outcome)")
        #expect(outcome.endedAt - asked < .seconds(8))
        #expect(outcome.standardError.contains("the disk does not answer"), "\(outcome)")
        withExtendedLifetime(disk) {}
        #expect(serving.files.count == 1 && serving.files[0].hasSuffix(".part"), "\(serving.files)")

        try await serving.start()
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains("earlier run had left") })
        #expect(try await Self.isRecording(serving))
        #expect(try await serving.stop().ending == .exited(0))
        try Self.expectFiles(2, of: serving)
    }

    @Test("H3: A second signal with a hanging disk ends the daemon at once")
    func impatience() async throws {
        let (serving, disk) = try await Self.recordingOnHangingDisk(origin)

        let asked = MonotonicInstant.now
        serving.process?.signal(SIGINT)
        #expect(try await waitUntil(.seconds(5)) { .now - asked > .milliseconds(600) })
        #expect(serving.process?.isRunning == true)
        let insisted = MonotonicInstant.now
        serving.process?.signal(SIGINT)
        let outcome = try #require(try await serving.process?.outcome(within: .seconds(30)))
        #expect(outcome.ending == .exited(128 + SIGINT) && outcome.endedAt - insisted < .seconds(2), "\(outcome)")
        withExtendedLifetime(disk) {}
    }

    @Test("H14: A reload of a daemon that is ending is not taken for wrong usage") func reloadWhileEnding() async throws
    {
        let (serving, disk) = try await Self.recordingOnHangingDisk(try Self.origin())
        serving.process?.terminate()
        var answer = try await serving.ask(["reload"])
        while answer.succeeded { answer = try await serving.ask(["reload"]) }
        #expect(answer.ending == .exited(75) && answer.standardError.contains("is ending"), "\(answer)")
        _ = try await serving.process?.outcome(within: .seconds(30))
        withExtendedLifetime(disk) {}
    }

    /// A daemon that records a station, with its writer's thread held as if the disk did not answer.
    private static func recordingOnHangingDisk(_ origin: ScriptedOrigin) async throws -> (Serving, HeldThread) {
        let serving = try await Serving.started(Serving.station("fip", origin.url("/fip"), "record = \"always\""))
        #expect(try await isRecording(serving))
        return (serving, try await HeldThread("writer", of: try #require(serving.process?.pid), .write))
    }
}
