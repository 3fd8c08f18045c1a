// SPDX-License-Identifier: MIT

import Control
import Glibc
import Instants
import TestSupport
import TestTools
import Testing

/// The player on a real message bus, as the programs of a desktop see it.
struct PlayerctlTests {
    private let bus: SessionBus

    init() throws { bus = try SessionBus() }

    @Test("The programme being played is visible in playerctl")
    func shown() async throws {
        try await PlayerHost.with(bus.address) { host in
            #expect(await host.name == "org.mpris.MediaPlayer2.aircheck")
            await host.update {
                $0.status = .playing
                $0.title = "Nina Simone - Sinnerman"
                $0.station = "FIP"
                $0.url = "https://user:secret@example.org/fip.mp3"
                $0.volume = 0.5
                $0.length = .seconds(622)
            }
            await host.move(to: .seconds(100))
            try await bus.expect(.playerctl, ["-l"], says: "aircheck")
            try await bus.expect(.playerctl, ["status"], says: "Playing")
            let format = "{{artist}}|{{title}}|{{album}}|{{xesam:url}}|{{mpris:length}}|{{mpris:trackid}}|{{volume}}"
            let shown = try await bus.ask(.playerctl, ["metadata", "--format", format])
            #expect(
                shown == "Nina Simone|Sinnerman|FIP|https://example.org/fip.mp3|622000000|'/org/aircheck/track/1'|0.5")
            let text = try await bus.ask(.playerctl, ["position"])
            let position = try #require(Double(text))
            #expect(position >= 100 && position < 130)
        }
    }

    @Test("Requests from media keys and widgets reach the player in order")
    func asked() async throws {
        try await PlayerHost.with(bus.address) { host in
            await host.update {
                $0.status = .playing
                $0.title = "One"
                $0.length = .seconds(600)
                ($0.canGoNext, $0.canGoPrevious, $0.canSeek) = (true, true, true)
                $0.queue = .init()
            }
            await host.move(to: .seconds(100))
            let commands = [
                ["play-pause"], ["pause"], ["play"], ["next"], ["previous"], ["volume", "0.25"], ["position", "30"],
                ["loop", "Track"], ["shuffle", "On"], ["stop"],
            ]
            for command in commands { try await bus.expect(.playerctl, command, says: "") }
            let seek =
                ["call", "--session", "--dest", "org.mpris.MediaPlayer2.aircheck", "--object-path"]
                + ["/org/mpris/MediaPlayer2", "--method"]
            try await bus.expect(.gdbus, seek + ["org.mpris.MediaPlayer2.Player.Seek", "int64 -10000000"], says: "()")
            try await bus.expect(.gdbus, seek + ["org.mpris.MediaPlayer2.Quit"], says: "()")
            let expected: [MPRISRequest] = [
                .playPause, .pause, .play, .next, .previous, .setVolume(0.25), .setPosition(.seconds(30)),
                .setLoop(.track), .setShuffle(true), .stop, .seek(by: .seconds(-10)), .quit,
            ]
            let requests = try await host.requests(expected.count)
            #expect(requests == expected)
        }
    }

    @Test("A client that follows the player gets changes only, and no flood of titles")
    func followed() async throws {
        try await PlayerHost.with(bus.address) { host in
            let monitor = try bus.start(.gdbus, ["monitor", "--session", "--dest", "org.mpris.MediaPlayer2.aircheck"])
            try await Self.wait(for: "is owned by", in: monitor)
            try await Self.makeHeard(host, by: monitor)
            await host.update { $0.status = .playing }
            try await Self.wait(for: "'PlaybackStatus': <'Playing'>", in: monitor)
            await host.update { $0.volume = 0.75 }
            try await Self.wait(for: "{'Volume': <0.75>}, @as []", in: monitor)
            await host.move(to: .seconds(50))
            try await Self.wait(for: "Player.Seeked (int64 50", in: monitor)
            let before = Self.lines(monitor).count
            let began = MonotonicInstant.now
            for number in 0..<500 { await host.update { $0.title = "Title \(number)" } }
            try await Self.wait(for: "Title 499", in: monitor)
            let changes = Self.lines(monitor)[before...].filter { $0.contains("PropertiesChanged") }
            // A few changes are sent at once, and then two a second. A busy machine takes a while for so many titles,
            // so the limit depends on the time that has passed.
            let seconds = Int((MonotonicInstant.now - began).inSeconds)
            #expect(changes.count <= 6 + 2 * seconds, "\(changes) in \(seconds) s")
            // The last title is track 500.
            #expect(changes.last?.contains("/org/aircheck/track/500") == true)
            monitor.terminate()
        }
    }

    @Test("The command playerctl --follow shows each new title")
    func playerctlFollows() async throws {
        try await PlayerHost.with(bus.address) { host in
            await host.update { $0.title = "First" }
            let follower = try bus.start(.playerctl, ["--follow", "metadata", "--format", "<{{title}}>"])
            try await Self.wait(for: "<First>", in: follower)
            await host.update { $0.title = "Second" }
            try await Self.wait(for: "<Second>", in: follower)
            follower.terminate()
        }
    }

    @Test("A second player has its own name on the bus")
    func twoPlayers() async throws {
        try await PlayerHost.with(bus.address) { _ in
            try await PlayerHost.with(bus.address) { second in
                let name = "org.mpris.MediaPlayer2.aircheck.instance\(getpid())"
                #expect(await second.name == name)
                await second.update { $0.status = .paused }
                try await bus.expect(.playerctl, ["-p", "aircheck.instance\(getpid())", "status"], says: "Paused")
            }
        }
    }

    private static func lines(_ process: ChildProcess) -> [Substring] {
        String(decoding: process.outputSoFar, as: UTF8.self).split(separator: "\n")
    }

    /// Jumps until `monitor` shows a jump. The monitor names the owner before it subscribes to the owner's signals, so
    /// it may miss the first ones.
    private static func makeHeard(_ host: PlayerHost, by monitor: ChildProcess) async throws {
        for jump in 1...20 {
            await host.move(to: .seconds(1_000 * jump))
            let isHeard = try await waitUntil(.seconds(1)) { lines(monitor).contains { $0.contains("Player.Seeked") } }
            if isHeard { return }
        }
        throw SetupError("no signal was heard:\n\(lines(monitor).joined(separator: "\n"))")
    }

    private static func wait(for text: String, in process: ChildProcess) async throws {
        let isSaid = try await waitUntil(.seconds(20)) {
            String(decoding: process.outputSoFar, as: UTF8.self).contains(text)
        }
        guard isSaid else {
            throw SetupError("\(text) was not said:\n\(lines(process).suffix(20).joined(separator: "\n"))")
        }
    }
}
