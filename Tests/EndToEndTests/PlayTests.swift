// SPDX-License-Identifier: MIT

import Foundation
import Instants
import TestSupport
import TestTools
import Testing

/// Playback through a real sound server, as its monitor records it.
@Suite("What is heard")
struct PlayTests {
    // MARK: - Sound

    @Test("Every sample of a station that is cut every 8 s is played once, as ffmpeg decodes it")
    func cuts() async throws {
        let studio = try await Studio(faults: Self.cutOften)
        let server = try await onThread { try PulseServer() }
        try await expectClean(studio.origin, studio.programme.bytes, through: server)
    }

    @Test("Playback through PipeWire is as clean")
    func pipeWire() async throws {
        let programme = try await ReferenceProgramme.make(
            .init(.mp3(128), sampleRate: 48_000, seconds: 130, usesReservoir: false))
        let origin = try ScriptedOrigin(
            LiveScript(.stream(LiveStream(try Broadcast(programme), faults: Self.cutOften))))
        let server = try await onThread { try PipeWireServer() }
        try await expectClean(origin, programme.bytes, through: server)
    }

    private static let cutOften = [LiveFault.inFrame(after: .seconds(8), .reset)]

    /// Half a minute of a station that is cut again and again.
    private func expectClean(
        _ origin: ScriptedOrigin, _ programme: [UInt8], through server: any SoundServer
    ) async throws {
        let rate = server.sampleRate
        let monitor = try await onThread { try MonitorRecording(server) }
        let child = try Aircheck.start(["play", origin.url("/studio"), "--json"], environment: server.environment)
        #expect(try await onThread { monitor.waits(.seconds(60)) { Decoded.sound($0).count > 30 * rate } })
        let outcome = try await child.outcome(after: SIGINT, within: .seconds(20))
        #expect(outcome.succeeded, "\(outcome.ending) \(outcome.standardError)")
        let report = try outcome.json(Played.self)
        #expect(report.seconds > 29 && report.ended == "user" && report.breaks == 0 && report.error == nil)
        #expect(origin.log.accepts.count >= 4)
        for channel in 0..<2 {
            let reference = try await Decoded.channel(channel, of: programme, rate: rate)
            try await Decoded.expect(monitor.channel(channel), in: reference, seconds: 30, rate: rate, "\(channel)")
        }
    }

    @Test("A recording and its listeners are exact while the sound server crashes, returns and hangs")
    func troubledServer() async throws {
        let studio = try await Studio()
        let folder = try TemporaryFolder()
        let server = try await onThread { try PulseServer() }
        let child = try Aircheck.start(
            ["record", studio.origin.url("/studio"), "--play", "--relay", "--listen", "127.0.0.1:0"]
                + ["--output", folder.path, "--pure", "--json"],
            environment: server.environment)
        let relay = try await Relaying(child)
        try await relay.waitForAudio()
        let audience = try await onThread { try Audience(5, port: relay.port) }
        try await onThread {
            func hears(within limit: Duration) throws -> Bool {
                let monitor = try MonitorRecording(server)
                defer { monitor.stop() }
                return monitor.waits(limit) { Decoded.sound($0).count > 44_100 / 2 }
            }
            #expect(try hears(within: .seconds(20)))
            try server.crash()
            #expect(waitUntil(.seconds(10)) { child.errorSoFar.contains("no sound:") })
            try server.start()
            #expect(try hears(within: .seconds(5)), "half a second of sound within 3 s, and room for a slow machine")
            server.hang()
            #expect(
                waitUntil(.seconds(10)) { child.errorSoFar.components(separatedBy: "no sound:").count > 2 },
                "\(child.errorSoFar)")
            server.resume()
            #expect(try hears(within: .seconds(5)))
        }
        for member in try await audience.leave() {
            #expect(studio.isStretch(member.body), "\(member.body.count) bytes")
        }
        let outcome = try await relay.stop()
        #expect(outcome.succeeded, "\(outcome.ending) \(outcome.standardError)")
        let report = try outcome.json(PlayedRecording.self)
        #expect(report.gaps.isEmpty && report.error == nil && report.player.error == nil)
        #expect(studio.origin.log.mostOpen == 1)
        let stretch = studio.expectStretch(try report.files.flatMap(bytes(ofFile:)), seconds: 5)
        #expect(stretch?.count == report.frames)
    }

    @Test("Two players with the same start time begin within 10 ms of each other")
    func startAt() async throws {
        let studio = try await Studio()
        var options = PulseServer.Options()
        options.sinks = ["left", "right"]
        let server = try await onThread { [options] in try PulseServer(options) }
        let folder = try TemporaryFolder()
        let file = folder.file("programme.mp3")
        try Data(studio.programme.bytes).write(to: URL(fileURLWithPath: file))
        let monitors = try await onThread {
            try ["left", "right"].map { try MonitorRecording(server, sink: $0) }
        }
        let clock = Date().addingTimeInterval(4)
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "UTC")
        format.dateFormat = "HH:mm:ss.SSS"
        let players = try ["left", "right"].map { device in
            try Aircheck.start(
                ["play", file, "--device", device, "--start-at", format.string(from: clock)],
                environment: server.environment.merging(["TZ": "UTC"]) { $1 })
        }
        let starts = try await onThread {
            // The instant of a recording's first sample is computed from its least delayed later samples.
            var origins = [Double.infinity, .infinity]
            let sounds = waitUntil(.seconds(20)) {
                for (index, monitor) in monitors.enumerated() {
                    let heard = Double(monitor.count) / 44_100
                    origins[index] = min(origins[index], Date().timeIntervalSince1970 - heard)
                }
                return Date() > clock.addingTimeInterval(2)
            }
            #expect(sounds)
            return try zip(monitors, origins).map { monitor, origin in
                let first = try #require(monitor.channel(0).firstIndex { abs($0) > 0.001 })
                return origin + Double(first) / 44_100 - clock.timeIntervalSince1970
            }
        }
        for player in players { player.signal(SIGINT) }
        #expect(abs(starts[0] - starts[1]) < 0.01, "\(starts)")
        #expect(starts.allSatisfy { abs($0) < 0.05 }, "\(starts)")
    }

    @Test("A relay, and the demo, can be played at the same time", arguments: ["relay", "demo"])
    func beside(command: String) async throws {
        let studio = try await Studio()
        let folder = try TemporaryFolder()
        let (server, monitor) = try await heardServer()
        let arguments =
            command == "relay"
            ? ["relay", studio.origin.url("/studio"), "--listen", "127.0.0.1:0"] : ["demo", "--output", folder.path]
        let child = try Aircheck.start(arguments + ["--play", "--json"], environment: server.environment)
        #expect(try await onThread { monitor.waits(.seconds(30)) { Decoded.sound($0).count > 44_100 } })
        let outcome = try await child.outcome(after: SIGINT, within: .seconds(20))
        #expect(outcome.succeeded && outcome.text.contains("\"player\""), "\(outcome.standardError)")
    }

    @Test("Audio that the ring has dropped is played from the files of the recording")
    func archived() async throws {
        let programme = try await ReferenceProgramme.make(.init(.mp3(48), channels: 1, seconds: 20))
        let reference = try await Decoded.channel(of: programme.bytes)
        // The file is longer than the half hour that a ring keeps at most.
        let file = Array(repeatElement(programme.bytes, count: 110).joined())
        let origin = try ScriptedOrigin([.request, .fileHead(file.count), .send(file)])
        let folder = try TemporaryFolder()
        let (server, monitor) = try await heardServer()
        let child = try Aircheck.start(
            [
                "record", origin.url("/show.mp3"), "--play", "--output", folder.path, "--segment", "12s", "--pure",
                "--json",
            ],
            environment: server.environment)
        #expect(try await onThread { monitor.waits(.seconds(60)) { Decoded.sound($0).count > 16 * 44_100 } })
        // Later, the programme begins again.
        let heard = monitor.channel(0)
        // A slow disk needs a while for so many files.
        #expect(try await waitUntil(.seconds(60)) { try folder.contents().count { $0.hasSuffix(".mp3") } > 180 })
        let outcome = try await child.outcome(after: SIGINT, within: .seconds(20))
        #expect(outcome.succeeded, "\(outcome.ending) \(outcome.standardError)")
        let report = try outcome.json(PlayedRecording.self)
        #expect(report.files.count > 180 && report.gaps.isEmpty && report.player.breaks == 0)
        try await Decoded.expect(heard, in: reference, seconds: 16)
    }

    // MARK: - Without sound

    @Test("Without a sound server a recording continues, says so once, and ends with its own status")
    func noServer() async throws {
        let studio = try await Studio()
        let folder = try TemporaryFolder()
        let outcome = try await Aircheck.run(
            ["record", studio.origin.url("/studio"), "--play", "--output", folder.path, "--duration", "3s", "--pure"]
                + ["--json"],
            environment: ["PULSE_SERVER": "unix:\(folder.file("nothing"))", "HOME": folder.path])
        #expect(outcome.succeeded, "\(outcome.ending) \(outcome.standardError)")
        #expect(outcome.standardError.components(separatedBy: "no sound:").count == 2, "\(outcome.standardError)")
        let report = try outcome.json(PlayedRecording.self)
        let stretch = studio.expectStretch(try report.files.flatMap(bytes(ofFile:)), seconds: 3)
        #expect(stretch?.count == report.frames)
    }

    @Test("A player without a sound server waits, says so, and gives up with status 69")
    func giveUp() async throws {
        let studio = try await Studio()
        let folder = try TemporaryFolder()
        let outcome = try await Aircheck.run(
            ["play", studio.origin.url("/studio"), "--give-up", "2s", "--json"],
            environment: ["PULSE_SERVER": "unix:\(folder.file("nothing"))", "HOME": folder.path])
        #expect(outcome.ending == .exited(69), "\(outcome.ending) \(outcome.standardError)")
        #expect(try outcome.json(Played.self).error?.class == "sound")
    }

    private static let commands: [(arguments: [String], isHeard: Bool)] = [
        (["record"], false), (["record", "--relay", "--listen", "127.0.0.1:0"], false),
        (["relay", "--listen", "127.0.0.1:0"], false), (["probe"], false),
        (["record", "--play"], true),
    ]

    /// The libraries that a process has opened, out of those that only some commands need. toml++ is not among them,
    /// because it has no library.
    private static func libraries(of process: Int32) throws -> Set<String> {
        let maps = String(decoding: try bytes(ofKernelFile: "/proc/\(process)/maps"), as: UTF8.self)
        let all = ["pulse", "mpg123", "opus", "vorbis", "FLAC", "sndfile", "systemd", "sqlite3"]
        return Set(all.filter { maps.contains("/lib\($0)") })
    }

    @Test(
        "A command that plays nothing opens no sound library, and none but serve opens that of the catalog",
        arguments: commands)
    func libraries(arguments: [String], isHeard: Bool) async throws {
        let studio = try await Studio()
        let folder = try TemporaryFolder()
        let server = try await onThread { try PulseServer() }
        let child = try Aircheck.start(
            arguments + [studio.origin.url("/studio")] + (arguments[0] == "record" ? ["--output", folder.path] : []),
            environment: server.environment)
        #expect(
            try await waitUntil(.seconds(20)) {
                try studio.origin.log.accepts.count > 0
                    && (arguments[0] != "record" || child.errorSoFar.contains("recording to"))
                    && (arguments[0] != "relay" || child.errorSoFar.contains("connected to"))
                    && (!isHeard || server.streamNumber() != nil)
            }, "\(child.errorSoFar)")
        let opened = try Self.libraries(of: child.pid)
        // A command that plays does open these libraries, which shows that their names here are right.
        #expect(isHeard ? opened.isSuperset(of: ["pulse", "mpg123"]) : opened.isEmpty, "\(opened)")
        #expect(!opened.contains("sqlite3"), "\(opened)")
    }

    @Test("The daemon opens the library of its catalog, and no sound library while it plays nothing")
    func librariesOfDaemon() async throws {
        let studio = try await Studio()
        let serving = try await Serving.started(
            Serving.station("fip", studio.origin.url("/fip"), "record = \"always\""))
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains("recording to") }, "\(serving.log)")
        let opened = try Self.libraries(of: try #require(serving.process).pid)
        #expect(opened.contains("sqlite3") && opened.isDisjoint(with: ["pulse", "mpg123"]), "\(opened)")
        #expect(try await serving.stop().ending == .exited(0))
    }

    @Test("Devices are listed by name")
    func devices() async throws {
        var options = PulseServer.Options()
        options.sinks = ["kitchen", "bath"]
        let server = try await onThread { [options] in try PulseServer(options) }
        let outcome = try await Aircheck.run(["play", "--list-devices"], environment: server.environment)
        #expect(outcome.succeeded)
        #expect(outcome.text.contains("* kitchen") && outcome.text.contains("  bath"))
        let unknown = try await Aircheck.run(
            ["play", "http://127.0.0.1:9/", "--device", "attic", "--give-up", "2s"], environment: server.environment)
        #expect(unknown.ending == .exited(69))
    }
}
