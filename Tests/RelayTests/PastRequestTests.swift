// SPDX-License-Identifier: MIT

import HTTPServer
import Instants
import Stations
import TestSupport
import Testing

@testable import RadioCore
@testable import Relay

/// Requests for what was on air: `GET /live?from=INSTANT`.
struct PastRequestTests {
    /// Frames that an encoder dates: number 0 was on air at ``epoch``.
    private static func rig(
        running seconds: Int = 60, _ change: (inout MountSettings) -> Void = { _ in }
    ) throws -> (rig: RelayRig, epoch: WallInstant) {
        let rig = try RelayRig(change)
        let epoch = rig.reactor.wallNow
        rig.hub.setAirTime(AirTime(origin: epoch, sampleRate: 44_100, isSettled: true))
        rig.run(seconds)
        return (rig, epoch)
    }

    private static func query(_ instant: WallInstant) -> String { "?from=\(CivilTime(instant, utcOffset: 0).rfc3339)" }

    /// What the head of an answer says of its first frame.
    private static func airTime(_ client: LoopbackClient) throws -> WallInstant {
        let line = try #require(client.text.split(separator: "\r\n").first { $0.hasPrefix(AirTimeField.name) })
        return try #require(CivilTime(rfc3339: String(line.dropFirst(AirTimeField.name.count + 2)))?.instant)
    }

    /// The frames that come at once; none if something else comes.
    private static func numbers(_ client: LoopbackClient, _ rig: RelayRig) -> [Int] {
        rig.wait(eighths: 24) { client.collect() }
        return rig.frameNumbers(client.body) ?? []
    }

    @Test("The answer begins with the frame that was on air at the instant, says when that was, and goes on")
    func exact() throws {
        let (rig, epoch) = try Self.rig()
        for number in [300, 301, 1_000, 2_000] {
            let start = epoch + RelayRig.frameDuration * number
            for part in [RelayRig.frameDuration * 0, RelayRig.frameDuration / 2] {
                let client = rig.listen(query: Self.query(start + part + .milliseconds(1)))
                rig.run(2) { client.collect() }
                let numbers = try #require(rig.frameNumbers(client.body))
                #expect(numbers.first == number && numbers.isUnbroken)
                #expect(rig.frames - (numbers.last ?? 0) <= 45)
                let said = try Self.airTime(client) - start
                #expect(said >= .zero && said < .milliseconds(1))
                // Who asks for what was said gets the same.
                let again = rig.listen(query: Self.query(try Self.airTime(client)))
                #expect(Self.numbers(again, rig).first == number)
            }
        }
    }

    @Test("The burst's limits do not cut the past, and a client says how far back it goes")
    func limits() throws {
        let (rig, _) = try Self.rig { $0.burstBytes = 20_000 }
        let client = rig.listen(query: "?from=-50s&burst=1")
        let last = rig.frames - 1
        let numbers = Self.numbers(client, rig)
        // Ten seconds after the first frame.
        #expect(numbers.first == 382 && numbers.last == last && numbers.isUnbroken, "\(numbers.first ?? -1)")
    }

    @Test("An instant before all that is kept means the oldest frame, and one in the future what comes next")
    func edges() throws {
        let (rig, epoch) = try Self.rig(running: 200)
        let oldest = rig.listen(query: "?from=0")
        let first = try #require(Self.numbers(oldest, rig).first)
        // The ring has 77 s, and up to a second more.
        let kept = rig.frames - first
        #expect((77 * 38...79 * 40).contains(kept), "\(kept)")
        #expect((try Self.airTime(oldest) - (epoch + RelayRig.frameDuration * first)).magnitude < .milliseconds(1))
        let (next, later) = (rig.frames, rig.listen(query: "?from=9000000000"))
        rig.run(2) { later.collect() }
        #expect(rig.frameNumbers(later.body)?.first == next)
    }

    @Test("A deeper ring is kept where it is wanted")
    func deeper() throws {
        let (rig, _) = try Self.rig(running: 200) { $0.rewind = .seconds(150) }
        let client = rig.listen(query: "?from=-149s")
        let numbers = Self.numbers(client, rig)
        #expect((149 * 38...150 * 40).contains(numbers.count), "\(numbers.count)")
        var settings = MountSettings()
        settings.rewind = MountSettings.longestRewind + .seconds(1)
        #expect(throws: SettingFault.self) { try settings.check() }
    }

    @Test("HEAD says where the audio would begin, and a malformed instant is refused in one sentence")
    func heads() throws {
        let (rig, epoch) = try Self.rig(running: 20)
        let head = rig.ask("HEAD /live.mp3?from=-10s HTTP/1.0\r\n\r\n")
        #expect(head.text.hasPrefix("HTTP/1.0 200 ") && head.body.isEmpty && rig.mount.listenerCount == 0)
        #expect((try Self.airTime(head) - (epoch + .seconds(10))).magnitude < .milliseconds(200))
        for text in ["", "-5", "now", "%00", "5s", "2026-09-21"] {
            let refused = rig.ask("GET /live?from=\(text) HTTP/1.0\r\n\r\n")
            #expect(refused.text.hasPrefix("HTTP/1.0 400 "), "\(text)")
            #expect(refused.text.split(separator: "\r\n").last?.hasPrefix("from is an instant such as ") == true)
        }
        // Players are not told unless they ask.
        #expect(!rig.ask("HEAD /live HTTP/1.0\r\n\r\n").text.contains(AirTimeField.name))
    }

    @Test("A recorder that asks for the past is closed at each gap in it, and continues behind the gap")
    func gaps() throws {
        let (rig, epoch) = try Self.rig(running: 30)
        let last = rig.frames - 1
        rig.gap()
        let resumed = epoch + .seconds(40)
        let origin = resumed - .samples(rig.hub.position.samples, at: 44_100)
        rig.hub.setAirTime(AirTime(origin: origin, sampleRate: 44_100, isSettled: true))
        rig.run(20)
        let field = "\(FillerField.name): none; new\r\n"
        let first = rig.listen(field, query: Self.query(epoch + .seconds(10)))
        rig.run(1) { first.collect() }
        let numbers = try #require(rig.frameNumbers(first.body))
        #expect(first.end == .closed && numbers.last == last && numbers.isUnbroken)
        // Within the gap, the frame behind it comes next.
        for instant in [epoch + .seconds(32), resumed, resumed + .milliseconds(5)] {
            let second = rig.listen(field, query: Self.query(instant))
            rig.run(1) { second.collect() }
            let begin = rig.frameNumbers(second.body)?.first
            #expect(second.end == nil && begin == last + 1)
            #expect((try Self.airTime(second) - resumed).magnitude < .milliseconds(2))
        }
        // A player goes on behind the gap on the same connection.
        let player = rig.listen(query: Self.query(epoch + .seconds(10)))
        rig.run(1) { player.collect() }
        #expect(player.end == nil && rig.frameNumbers(player.body)?.isUnbroken == true)
    }

    @Test("A programme without dates is dated by its newest frame")
    func undated() throws {
        let rig = try RelayRig(running: 40)
        let (now, client) = (rig.reactor.wallNow, rig.listen(query: "?from=-20s"))
        let numbers = Self.numbers(client, rig)
        #expect((760...790).contains(numbers.count), "\(numbers.count)")
        let age = now - (try Self.airTime(client))
        #expect((age - .seconds(20)).magnitude < .milliseconds(600), "\(age)")
    }

    @Test("A listener who plays the past in real time is not too slow")
    func slow() throws {
        let (rig, _) = try Self.rig(running: 100) { $0.rewind = .seconds(120) }
        let client = rig.listen(query: "?from=-60s", receiveBuffer: 4_096)
        // The client reads at the speed of a player: five frames at a time.
        var most = 4_096
        rig.run(60) {
            most += 417 * 5
            client.collect(limit: most)
        }
        let numbers = try #require(rig.frameNumbers(Array(client.body.prefix(client.body.count / 417 * 417))))
        #expect(numbers.isUnbroken && client.end == nil && rig.mount.listenerCount == 1)
    }
}
