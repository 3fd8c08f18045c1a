// SPDX-License-Identifier: MIT

import Glibc
import Instants
import TestSupport
import TestTools
import Testing

struct RelayFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A folder is played as a station: the files of one kind in order, and the others are reported once")
    func folder() async throws {
        let one = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 6, seed: 1))
        let two = try await ReferenceProgramme.make(.init(.mp3(96), seconds: 6, seed: 2))
        let other = try await ReferenceProgramme.make(.init(.aac(96), seconds: 2))
        try folder.write("01 first.mp3", one.bytes)
        try folder.write("02 second.mp3", two.bytes)
        try folder.write("00 other.aac", other.bytes)
        try folder.write("notes.txt", "Not music, but a note about it.")
        let relay = try Aircheck.start(["relay", folder.path, "--once", "--listen", "127.0.0.1:0"])
        let heard = try await listen(to: relay)
        // The audio runs from a frame of the first file to the last frame of the second file. It may lack the beginning
        // of the first file, because the listener may come a little late.
        try expectEnd(of: one.bytes + two.bytes, is: heard, atLeast: two.bytes.count)
        let outcome = try await relay.outcome(within: .seconds(20))
        #expect(outcome.succeeded)
        for name in ["00 other.aac", "notes.txt"] {
            #expect(outcome.standardError.ranges(of: "skipped \(name): ").count == 1, "\(outcome.standardError)")
        }
        #expect(outcome.standardError.ranges(of: "skipped").count == 2)
    }

    @Test("Audio that comes through a pipe at once is played in real time to its last frame")
    func pipe() async throws {
        // Long enough for a listener to come in time on a busy machine.
        let programme = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 24, seed: 3))
        let command = "cat \"$0\" | \"$1\" relay - --listen 127.0.0.1:0"
        let relay = try ChildProcess("/bin/sh", ["-c", command, programme.path, try aircheckBinary()])
        let started = MonotonicInstant.now
        try expectEnd(of: programme.bytes, is: try await listen(to: relay), atLeast: programme.bytes.count / 2)
        let outcome = try await relay.outcome(within: .seconds(20))
        #expect(outcome.succeeded, "\(outcome.standardError)")
        // Four seconds are sent ahead of time, with which the listener starts.
        #expect(outcome.endedAt - started > .seconds(3.5))
    }

    @Test("A silent or unopened pipe does not keep the program from ending")
    func silentPipes() async throws {
        for name in ["silent.mp3", "unopened.mp3"] {
            let path = folder.file(name)
            #expect(mkfifo(path, 0o600) == 0)
            let writer = name == "silent.mp3" ? open(path, O_RDWR) : -1
            let relay = try Aircheck.start(["relay", path, "--listen", "127.0.0.1:0"])
            _ = try await Relaying(relay)
            relay.terminate()
            #expect(try await relay.outcome(within: .seconds(10)).succeeded)
            if writer >= 0 { close(writer) }
        }
    }

    @Test("A relay without anything to play says so and ends, and nonsensical sources are wrong usage")
    func nothingToPlay() async throws {
        let outcome = try await Aircheck.run(["relay", folder.path, "--listen", "127.0.0.1:0"])
        #expect(outcome.ending == .exited(69) && outcome.standardError.contains("nothing can be played"))
        for arguments in [
            ["no such file"], [folder.path, "http://127.0.0.1/x"], ["-", folder.path],
            ["http://127.0.0.1/x", "--once"],
        ] {
            #expect(try await Aircheck.run(["relay"] + arguments).ending == .exited(64), "\(arguments)")
        }
    }

    @Test("An address in use is not wrong usage, so that a service manager tries again")
    func cannotListen() async throws {
        let taken = try Loopback.listen(port: 0)
        defer { Loopback.close(taken) }
        // No machine has the second address (RFC 5737).
        for address in ["127.0.0.1:\(try Loopback.port(of: taken))", "192.0.2.1:8000"] {
            let outcome = try await Aircheck.run(["relay", folder.path, "--listen", address, "--json"])
            #expect(outcome.ending == .exited(75), "\(outcome.standardError)")
            let report = try outcome.json(Refusal.self)
            #expect(report.error.message.contains(address) && report.urls.isEmpty)
            #expect(outcome.standardError.contains("cannot listen on \(address)"), "\(outcome.standardError)")
        }
    }

    @Test("A Unix socket without an existing folder is wrong usage")
    func noFolderForSocket() async throws {
        try folder.write("file", "")
        for name in ["missing/socket", "file/socket"] {
            let address = "unix:" + folder.file(name)
            let outcome = try await Aircheck.run(["relay", folder.path, "--listen", address, "--json"])
            #expect(outcome.ending == .exited(64), "\(outcome.standardError)")
            #expect(outcome.standardError.contains("no such folder; create it, or choose another path"))
            let report = try outcome.json(Refusal.self)
            #expect(report.urls.isEmpty && report.error.message.contains(address))
        }
    }

    @Test("A wrong command line is reported in the command's own JSON object only")
    func wrongUsage() async throws {
        let outcome = try await Aircheck.run(["relay", "no such file", "--json"])
        #expect(outcome.ending == .exited(64))
        let report = try outcome.json(Refusal.self)
        #expect(report.error.class == "usage" && report.urls.isEmpty)
    }

    /// The report of a relay that could not begin.
    private struct Refusal: Decodable {
        struct Reason: Decodable {
            let `class`: String
            let message: String
        }

        let urls: [String]
        let error: Reason
    }

    /// Everything that a listener gets until the relay ends.
    private func listen(to relay: ChildProcess) async throws -> [UInt8] {
        let url = try await Relaying(relay).url()
        // There may be no audio yet.
        let arguments = ["--silent", "--fail", "--retry", "20", "--retry-delay", "1", url]
        return try await ChildProcess(.curl, arguments).outcome(within: .seconds(40)).standardOutput
    }

    private func expectEnd(of programme: [UInt8], is heard: [UInt8], atLeast count: Int) throws {
        #expect(heard.count >= count && heard.count <= programme.count, "\(heard.count) bytes of \(programme.count)")
        #expect(programme.suffix(heard.count).elementsEqual(heard))
        #expect(heard.first == 0xFF)
    }
}
