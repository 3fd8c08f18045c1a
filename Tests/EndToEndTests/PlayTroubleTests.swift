// SPDX-License-Identifier: MIT

import Foundation
import Instants
import TestSupport
import TestTools
import Testing

/// Trouble of sound servers and their devices during playback, which does not affect a recording and a relay beside it.
@Suite("Troubled sound")
struct PlayTroubleTests {
    /// A recording that is also played aloud, and relayed to two listeners.
    private struct Show: Sendable {
        let studio: Studio
        let server: PulseServer
        let process: ChildProcess
        private let folder: TemporaryFolder
        private let audience: Audience

        init(_ options: PulseServer.Options = PulseServer.Options(), isServerStarted: Bool = true) async throws {
            studio = try await Studio()
            folder = try TemporaryFolder()
            server = try await onThread { try PulseServer(options, isStarted: isServerStarted) }
            process = try Aircheck.start(
                ["record", studio.origin.url("/studio"), "--play", "--output", folder.path, "--name", "radio"]
                    + ["--segment", "none", "--pure", "--json", "--relay", "--listen", "127.0.0.1:0"],
                environment: server.environment)
            let relay = try await Relaying(process)
            try await relay.waitForAudio()
            audience = try await onThread { try Audience(2, port: relay.port) }
        }

        /// Bytes that have been recorded so far.
        private var recorded: Int {
            let attributes = try? FileManager.default.attributesOfItem(atPath: folder.file("radio.mp3.part"))
            return (attributes?[.size] as? NSNumber)?.intValue ?? 0
        }

        /// Whether half a second of sound is heard on a sink. Blocks.
        func isHeard(on sink: String = "speaker", within limit: Duration) throws -> Bool {
            let monitor = try MonitorRecording(server, sink: sink)
            defer { monitor.stop() }
            return monitor.waits(limit) { Decoded.sound($0).count > 44_100 / 2 }
        }

        /// Whether this many more seconds, at 128 kbit/s, are recorded in little more than the same time. Blocks.
        func isRecorded(seconds: Int) -> Bool {
            let start = recorded
            return waitUntil(.seconds(seconds + 10)) { recorded >= start + seconds * 16_000 }
        }

        /// Ends the show. Expects that the recording and the audio of each listener are each one stretch of the
        /// programme, and that every listener got more than `seconds` of audio.
        func expectExact(seconds: Int) async throws {
            for member in try await audience.leave() {
                #expect(studio.isStretch(member.body) && member.body.count > seconds * 16_000)
            }
            let outcome = try await process.outcome(after: SIGINT, within: .seconds(20))
            #expect(outcome.succeeded, "\(outcome.ending) \(outcome.standardError)")
            let report = try outcome.json(PlayedRecording.self)
            #expect(report.gaps.isEmpty && report.error == nil && report.player.error == nil)
            #expect(studio.origin.log.mostOpen == 1 && studio.origin.log.accepts.count == 1)
            let audio = try report.files.flatMap(bytes(ofFile:))
            #expect(studio.expectStretch(audio, seconds: Double(seconds))?.count == report.frames)
        }
    }

    @Test("A hanging sound server is reported once and used again, and recording and relay lose nothing")
    func hanging() async throws {
        let show = try await Show()
        try await onThread { () throws in
            #expect(try show.isHeard(within: .seconds(20)))
            show.server.hang()
            #expect(show.isRecorded(seconds: 10))
            #expect(show.process.errorSoFar.components(separatedBy: "no sound:").count == 2)
            show.server.resume()
            #expect(try show.isHeard(within: .seconds(10)), "\(show.process.errorSoFar)")
        }
        try await show.expectExact(seconds: 10)
    }

    @Test("A sound server that starts later is used, and this is reported")
    func later() async throws {
        let show = try await Show(isServerStarted: false)
        try await onThread { () throws in
            #expect(show.isRecorded(seconds: 2))
            #expect(show.process.errorSoFar.components(separatedBy: "no sound:").count == 2)
            try show.server.start()
            #expect(try show.isHeard(within: .seconds(10)), "\(show.process.errorSoFar)")
            #expect(waitUntil(.seconds(10)) { show.process.errorSoFar.contains("there is sound again") })
        }
        try await show.expectExact(seconds: 2)
    }

    @Test("A telephone call silences playback until its end, and recording and relay lose nothing")
    func telephone() async throws {
        var options = PulseServer.Options()
        options.modules = ["module-role-cork"]
        let show = try await Show(options)
        try await onThread { () throws in
            #expect(try show.isHeard(within: .seconds(20)))
            let call = try show.server.telephone()
            #expect(waitUntil(.seconds(10)) { (try? show.server.isCorked()) ?? false })
            #expect(show.isRecorded(seconds: 4))
            #expect(try show.server.isCorked())
            call.kill()
            #expect(try show.isHeard(within: .seconds(5)), "\(show.process.errorSoFar)")
        }
        try await show.expectExact(seconds: 5)
    }

    @Test("A stream is heard on the sink to which it is moved, and on another one after that is unplugged")
    func moved() async throws {
        var options = PulseServer.Options()
        options.sinks = ["speaker", "kitchen"]
        let show = try await Show(options)
        try await onThread { () throws in
            #expect(try show.isHeard(within: .seconds(20)))
            let stream = try #require(try show.server.streamNumber())
            try show.server.control(["move-sink-input", "\(stream)", "kitchen"])
            #expect(try show.isHeard(on: "kitchen", within: .seconds(10)))
            // A stream that a user has moved stays on its sink when the default sink changes.
            try show.server.control(["set-default-sink", "speaker"])
            #expect(try show.isHeard(on: "kitchen", within: .seconds(10)))
            try show.server.unplug("kitchen")
            #expect(try show.isHeard(within: .seconds(10)), "\(show.process.errorSoFar)")
            #expect(show.isRecorded(seconds: 2))
        }
        try await show.expectExact(seconds: 4)
    }
}
