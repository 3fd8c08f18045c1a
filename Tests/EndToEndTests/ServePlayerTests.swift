// SPDX-License-Identifier: MIT

import Foundation
import RadioFormats
import TestSupport
import TestTools
import Testing

/// Playback by the daemon, as the sound server's monitor records it.
struct ServePlayerTests {
    private static let player = "[player]\nstation = \"fip\"\n"

    @Test("The configured player plays every sample while reloads change another station")
    func reloads() async throws {
        let (studio, other) = (try await Studio(), try await Studio())
        let (server, monitor) = try await heardServer()
        let fip = Serving.station("fip", studio.origin.url("/fip"))
        let serving = try Serving(
            fip + Serving.station("nova", other.origin.url("/nova"), "record = \"always\"") + Self.player)
        try await serving.start(environment: server.environment)
        func hears(_ seconds: Int) async throws -> Bool {
            try await onThread { monitor.waits(.seconds(60)) { Decoded.sound($0).count > seconds * 44_100 } }
        }
        #expect(try await hears(5), "\(serving.log)")
        // Three reloads: the other station gets another address, then loses its relay, and is then replaced by a new
        // station.
        for (number, change) in [
            Serving.station("nova", other.origin.url("/nova2"), "record = \"always\""),
            Serving.station("nova", other.origin.url("/nova2"), "relay = false"),
            Serving.station("news", other.origin.url("/news"), "record = \"always\""),
        ].enumerated() {
            try serving.configure(fip + change + Self.player)
            let outcome = try await serving.ask(["reload"])
            #expect(outcome.succeeded, "\(outcome)")
            #expect(try await hears(8 + 3 * number), "\(serving.log)")
        }
        #expect(try await hears(20), "\(serving.log)")
        #expect(try await serving.stop().ending == .exited(0))
        #expect(studio.origin.log.accepts.count == 1 && other.origin.log.accepts.count >= 3)
        for channel in 0..<2 {
            let reference = try await Decoded.channel(channel, of: studio.programme.bytes)
            try await Decoded.expect(monitor.channel(channel), in: reference, seconds: 20, "\(channel)")
        }
    }

    @Test("A reload of the player turns it down, off and on again, and the recording continues")
    func player() async throws {
        let studio = try await Studio()
        let (server, monitor) = try await heardServer()
        let fip = Serving.station("fip", studio.origin.url("/fip"), "record = \"always\"")
        let serving = try Serving(fip + Self.player)
        try await serving.start(environment: server.environment)
        /// Waits until the loudness of the newest second is in this range, and returns it; nil if that does not happen.
        func level(_ range: ClosedRange<Float>) async throws -> Float? {
            try await onThread {
                var level: Float = 0
                let isHeard = monitor.waits(.seconds(30)) { heard in
                    level = heard.suffix(44_100).map(abs).max() ?? 0
                    return heard.count > 44_100 && range.contains(level)
                }
                return isHeard ? level : nil
            }
        }
        func reload(_ player: String) async throws {
            try serving.configure(fip + player)
            let outcome = try await serving.ask(["reload"])
            #expect(outcome.succeeded, "\(outcome)")
        }
        let loud = try #require(try await level(0.01...1), "\(serving.log)")
        // The scale is cubic.
        try await reload(Self.player + "volume = 30\n")
        #expect(try await level(loud / 1_000...loud / 5) != nil, "\(serving.log)")
        try await reload("")
        #expect(try await level(0...0) != nil, "\(serving.log)")
        try await reload(Self.player)
        #expect(try await level(loud / 4...1) != nil, "\(serving.log)")
        #expect(try await serving.stop().ending == .exited(0))
        #expect(studio.origin.log.accepts.count == 1 && serving.files.count == 1)
        studio.expectStretch(try serving.files.flatMap(serving.folder.read), seconds: 3)
    }

    @Test("The configured player plays every sample while the disk is full")
    func fullDisk() async throws {
        let studio = try await Studio()
        let (server, monitor) = try await heardServer()
        let serving = try Serving(
            Serving.station("fip", studio.origin.url("/fip"), "record = \"always\"") + Self.player)
        let disk = try await RemovableDisk(in: serving.folder, at: "recordings", size: "160k")
        try await serving.start(environment: server.environment, by: disk.entry)
        #expect(try await waitUntil(.seconds(60)) { serving.log.contains("no space left") }, "\(serving.log)")
        let (heard, rate) = (Decoded.sound(monitor.channel(0)).count, server.sampleRate)
        #expect(
            try await onThread { monitor.waits(.seconds(60)) { Decoded.sound($0).count > heard + 10 * rate } },
            "\(serving.log)")
        #expect(try await serving.stop().ending == .exited(0))
        #expect(studio.origin.log.accepts.count == 1)
        let reference = try await Decoded.channel(0, of: studio.programme.bytes)
        try await Decoded.expect(monitor.channel(0), in: reference, seconds: 12)
    }

    @Test("Without a sound server the daemon records, and it plays as soon as there is one")
    func noServer() async throws {
        let studio = try await Studio()
        let server = try await onThread { try PulseServer(isStarted: false) }
        let serving = try Serving(
            Serving.station("fip", studio.origin.url("/fip"), "record = \"always\"") + Self.player)
        try await serving.start(environment: server.environment)
        let lost = "warning: [fip] no sound: "
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains(lost) }, "\(serving.log)")
        #expect(try await serving.object(["status"])["player"]?["state"] == "no-sound")
        try await onThread {
            try server.start()
            let monitor = try MonitorRecording(server)
            #expect(monitor.waits(.seconds(30)) { Decoded.sound($0).count > 44_100 }, "\(serving.log)")
        }
        let back = "notice: [fip] there is sound again"
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains(back) }, "\(serving.log)")
        #expect(serving.log.components(separatedBy: lost).count == 2, "\(serving.log)")
        let player = try #require(try await serving.object(["status"])["player"])
        #expect(player["station"] == "fip" && player["state"] == "playing" && player["volume"] == 100, "\(player)")
        #expect(try await serving.stop().ending == .exited(0))
        #expect(studio.origin.log.accepts.count == 1)
        studio.expectStretch(try serving.files.flatMap(serving.folder.read), seconds: 3)
    }
}
