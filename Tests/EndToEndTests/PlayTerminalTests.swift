// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import TestSupport
import TestTools
import Testing

/// A player at a terminal, and on a desktop.
@Suite("The controls of a player")
struct PlayTerminalTests {
    private let studio: Studio
    private let server: PulseServer

    init() async throws { (studio, server) = try await Self.onAir() }

    private static func onAir() async throws -> (Studio, PulseServer) {
        let studio = try await Studio()
        return (studio, try await onThread { try PulseServer() })
    }

    @Test("Keys pause, mute and quit, the line shows it, and the terminal is restored")
    func keys() async throws {
        let terminal = try Terminal("play \(studio.origin.url("/studio"))", environment: server.environment)
        try await terminal.type(" ", after: "▮")
        try await terminal.type(" m", after: "paused")
        try await terminal.type("?", after: "muted")
        try await terminal.type("q", after: "space pause")
        let said = try await terminal.end()
        #expect(said.contains("ended 0") && said.contains(Studio.titlePrefix) && said.contains("played 0:"), "\(said)")
        #expect(Terminal.isAsBefore(said), "\(said)")
    }

    @Test("A recording with a level meter ends with its files, without playing the rest")
    func meter() async throws {
        let studio = try await Studio()
        let folder = try TemporaryFolder()
        let url = studio.origin.url("/studio")
        let terminal = try Terminal("record \(url) --level --duration 2s --output '\(folder.path)'")
        let said = try await terminal.end()
        #expect(said.contains("ended 0") && said.contains("recorded 0:"), "\(said)")
        #expect(!said.contains("playing what is left"), "\(said)")
        // A slow disk takes a while to finish the file, so the line may be drawn once more below the message about it.
        let afterwards = try #require(said.components(separatedBy: "finished ").last)
        #expect(afterwards.ranges(of: "finishing ").count <= 1, "\(said)")
    }

    @Test("Ctrl-Z stops the player and restores the terminal, and keys work again after it is continued")
    func continued() async throws {
        let terminal = try Terminal(
            "play \(studio.origin.url("/studio"))", environment: server.environment, isJob: true)
        try await terminal.type("\u{1A}", after: "▮")
        try await terminal.type(" ", after: "stopped 148")
        try await terminal.type("q", after: "paused")
        let said = try await terminal.end()
        let parts = said.components(separatedBy: "ended 0")
        try #require(parts.count == 2, "\(said)")
        let whileStopped = parts[0].components(separatedBy: "stopped 148").last ?? ""
        #expect(Terminal.isAsBefore(whileStopped) && Terminal.isAsBefore(parts[1]), "\(said)")
    }

    @Test("Ctrl-Z without a shell to continue the player redraws its line, and Ctrl-C ends it")
    func stopped() async throws {
        let terminal = try Terminal("play \(studio.origin.url("/studio"))", environment: server.environment)
        try await terminal.type("\u{1A} ", after: "▮")
        try await terminal.type("\u{3}", after: "paused")
        let said = try await terminal.end()
        #expect(said.contains("ended 0") && Terminal.isAsBefore(said), "\(said)")
    }

    @Test("A crash leaves the terminal as it was", arguments: [("SEGV", 139), ("ABRT", 134)])
    func crash(signal: String, status: Int) async throws {
        let terminal = try Terminal("play \(studio.origin.url("/studio"))", environment: server.environment)
        try await terminal.waits(for: "▮")
        try await terminal.signal(signal)
        let said = try await terminal.end()
        #expect(said.contains("ended \(status)") && Terminal.isAsBefore(said), "\(said)")
    }

    @Test("The level of a recording is shown without a sound server")
    func level() async throws {
        let studio = try await Studio()
        let folder = try TemporaryFolder()
        let terminal = try Terminal(
            "record \(studio.origin.url("/studio")) --level --output \(folder.path)",
            environment: ["PULSE_SERVER": "unix:\(folder.file("nothing"))"])
        try await terminal.type("\u{3}", after: "▮▮", times: 3)
        let said = try await terminal.end()
        #expect(said.contains("ended 0") && !said.contains("no sound") && Terminal.isAsBefore(said), "\(said)")
    }

    @Test("The desktop sees what is being played, and its buttons pause and resume it")
    func desktop() async throws {
        let bus = try await onThread { try SessionBus() }
        let environment = server.environment.merging(["DBUS_SESSION_BUS_ADDRESS": bus.address]) { $1 }
        let child = try Aircheck.start(["play", studio.origin.url("/studio")], environment: environment)
        func waits(_ answer: String, to question: [String] = ["status"]) async throws -> Bool {
            for _ in 0..<500 {
                let said = try await bus.ask(.playerctl, ["-p", "aircheck"] + question)
                if said == answer { return true }
            }
            return false
        }
        #expect(try await waits("Playing"))
        // The titles are "Aircheck - Piece 13" and so on.
        #expect(try await waits("Aircheck", to: ["metadata", "xesam:artist"]))
        _ = try await bus.ask(.playerctl, ["-p", "aircheck", "pause"])
        #expect(try await waits("Paused"))
        _ = try await bus.ask(.playerctl, ["-p", "aircheck", "play-pause"])
        #expect(try await waits("Playing"))
        #expect(try await child.outcome(after: SIGINT, within: .seconds(20)).succeeded)
    }
}
