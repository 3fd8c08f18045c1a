// SPDX-License-Identifier: MIT

import Control
import EventLoop
import Glibc
import Instants
import TestSupport
import TestTools
import Testing

/// Buses that are missing, go away or do not answer, and hostile callers.
struct BusFaultTests {
    @Test(
        "A player without a bus has no name and does no harm",
        arguments: [nil, "unix:path=/nonexistent/bus", "nonsense"])
    func none(address: String?) async throws {
        try await PlayerHost.with(address, waitsForName: false) { host in
            await host.update { $0.title = "Unseen" }
            #expect(await host.name == nil)
        }
    }

    @Test("A player whose bus dies connects to the next one")
    func killed() async throws {
        let folder = try TemporaryFolder("aircheck-bus")
        let bus = try SessionBus(in: folder)
        try await PlayerHost.with(bus.address) { host in
            await host.update { $0.status = .playing }
            try await onThread { try bus.kill() }
            try await host.waitForName(false)
            await host.update { $0.title = "Meanwhile" }
            let successor = try SessionBus(in: folder)
            try await host.waitForName()
            try await successor.expect(.playerctl, ["metadata", "title"], says: "Meanwhile")
        }
    }

    @Test("A bus that hangs does not block the player")
    func hanging() async throws {
        let bus = try SessionBus()
        try await PlayerHost.with(bus.address) { host in
            bus.signal(SIGSTOP)
            let began = MonotonicInstant.now
            for number in 0..<100 { await host.update { $0.title = "Title \(number)" } }
            // A call waits up to 25 s for its answer, so none of these calls has waited.
            #expect(MonotonicInstant.now - began < .seconds(20))
            let isAtRest = try await Self.isAtRest(host)
            #expect(isAtRest)
            bus.signal(SIGCONT)
            try await bus.expect(.playerctl, ["metadata", "title"], says: "Title 99")
        }
    }

    @Test("A bus that accepts connections and never answers does not block the player")
    func silent() async throws {
        let folder = try TemporaryFolder("aircheck-bus")
        let listener = try Self.listen(at: folder.file("socket"))
        defer { close(listener) }
        try await PlayerHost.with("unix:path=\(folder.file("socket"))", waitsForName: false) { host in
            await host.update { $0.title = "Unheard" }
            let isAtRest = try await Self.isAtRest(host)
            #expect(isAtRest)
            #expect(await host.name == nil)
        }
    }

    @Test("A bus whose accept queue is full does not block the player, and is tried again")
    func crowded() async throws {
        let folder = try TemporaryFolder("aircheck-bus")
        let path = folder.file("socket")
        let listener = try Self.listen(at: path, backlog: 0)
        defer { close(listener) }
        let crowd = (0..<8).map { _ in Self.connect(to: path) }
        defer { crowd.forEach { close($0) } }
        try await PlayerHost.with("unix:path=\(path)", waitsForName: false) { host in
            let began = MonotonicInstant.now
            for number in 0..<20 {
                await host.update { $0.title = "Title \(number)" }
                try await onThread { _ = waitUntil(.milliseconds(20)) { false } }
            }
            // A call waits up to 25 s for its answer, so none of these calls has waited.
            #expect(MonotonicInstant.now - began < .seconds(20))
            #expect(await host.name == nil)
        }
    }

    @Test("A slow search for the session bus does not block the player")
    func slowDisk() async throws {
        let bus = try SessionBus()
        let isFound = Watched(false)
        try await PlayerHost.with(
            bus.address, waitsForName: false,
            findBus: { _ = isFound.wait(within: .seconds(300)) { $0 ? true : nil } }
        ) { host in
            for number in 0..<100 { await host.update { $0.title = "Title \(number)" } }
            let isAtRest = try await Self.isAtRest(host)
            #expect(isAtRest)
            #expect(await host.name == nil)
            isFound.change { $0 = true }
            try await host.waitForName()
            try await bus.expect(.playerctl, ["metadata", "title"], says: "Title 99")
        }
    }

    @Test("Each kind of wrong call is answered with its own D-Bus error")
    func wrongCalls() async throws {
        let bus = try SessionBus()
        try await PlayerHost.with(bus.address) { host in
            let head = ["--print-reply", "--dest=org.mpris.MediaPlayer2.aircheck", "/org/mpris/MediaPlayer2"]
            let (player, properties) = ("org.mpris.MediaPlayer2.Player", "org.freedesktop.DBus.Properties")
            let calls: [([String], String)] = [
                (["\(player).Seek", "string:far"], "InvalidArgs"),
                (["\(player).Seek"], "InvalidArgs"),
                (["\(player).Nonsense"], "UnknownMethod"),
                (["org.example.Nonsense.Play"], "UnknownInterface"),
                (["\(properties).Get", "string:\(player)", "string:Nonsense"], "UnknownProperty"),
                (["\(properties).Get", "string:org.example.Nonsense", "string:Volume"], "UnknownInterface"),
                (["\(properties).Set", "string:\(player)", "string:Volume", "variant:string:loud"], "InvalidArgs"),
                (["\(properties).Set", "string:\(player)", "string:Volume", "variant:double:nan"], "InvalidArgs"),
                (["\(properties).Set", "string:\(player)", "string:Metadata", "variant:string:x"], "PropertyReadOnly"),
                (
                    ["\(properties).Set", "string:\(player)", "string:CanSeek", "variant:boolean:true"],
                    "PropertyReadOnly"
                ),
                (["\(player).OpenUri", "string:\(String(repeating: "x", count: 100_000))"], "InvalidArgs"),
                (["\(player).OpenUri", "string:file:///etc/passwd"], "NotSupported"),
            ]
            for (call, error) in calls {
                let said = try await bus.ask(.dbusSend, head + call)
                #expect(said.contains("org.freedesktop.DBus.Error.\(error)"), "\(call.first ?? ""): \(said)")
            }
            #expect(host.requests.value.isEmpty)
        }
    }

    @Test("A flood of requests is bounded, and the player keeps answering")
    func flood() async throws {
        let bus = try SessionBus()
        try await PlayerHost.with(bus.address) { host in
            let script = """
                i=0
                while [ $i -lt 300 ]; do
                  dbus-send --dest=org.mpris.MediaPlayer2.aircheck /org/mpris/MediaPlayer2 \
                    org.mpris.MediaPlayer2.Player.PlayPause org.mpris.MediaPlayer2.Player.PlayPause &
                  i=$((i+1))
                done
                wait
                """
            let flood = try ChildProcess(
                "/bin/sh", ["-c", script], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
            let outcome = try await flood.outcome(within: .seconds(60))
            #expect(outcome.succeeded)
            try await bus.expect(.playerctl, ["status"], says: "Stopped")
        }
    }

    @Test("Text that is invalid on a bus is made valid and short")
    func wildText() async throws {
        let bus = try SessionBus()
        let wild = String(String.UnicodeScalarView([0xFDD0, 0xFFFF, 0x10FFFE].compactMap(Unicode.Scalar.init)))
        try await PlayerHost.with(bus.address) { host in
            await host.update {
                $0.title = "A\u{0}B\(wild)D - \u{1B}[31mE"
                $0.station = String(repeating: "é", count: 100_000)
                $0.url = "https://example.org/\u{0}\(wild)"
            }
            try await bus.expect(.playerctl, ["status"], says: "Stopped")
            let title = try await bus.ask(.playerctl, ["metadata", "title"])
            #expect(title == "[31mE", "\(title)")
            let album = try await bus.ask(.playerctl, ["metadata", "album"])
            #expect(album.utf8.count <= 1024 && album.hasPrefix("éé"))
            #expect(await host.name != nil)
        }
    }

    /// Whether the loop's thread, which has nothing to do, is idle for 300 ms.
    private static func isAtRest(_ host: PlayerHost) async throws -> Bool {
        let before = await host.processorTime
        try await onThread { _ = waitUntil(.milliseconds(300)) { false } }
        return await host.processorTime - before < .milliseconds(50)
    }

    private static func listen(at path: String, backlog: CInt = 8) throws -> CInt {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        guard at(path, { bind(descriptor, $0, $1) }) == 0, Glibc.listen(descriptor, backlog) == 0 else {
            throw SetupError("no socket: errno \(errno)")
        }
        return descriptor
    }

    /// A descriptor that is connected if the listener's queue has room.
    private static func connect(to path: String) -> CInt {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        _ = at(path) { Glibc.connect(descriptor, $0, $1) }
        return descriptor
    }

    private static func at(_ path: String, _ use: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { place in
            place.copyBytes(from: Array(path.utf8).prefix(place.count - 1))
        }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { use($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }
}
