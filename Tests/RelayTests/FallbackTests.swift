// SPDX-License-Identifier: MIT

import HTTPServer
import Instants
import RadioCore
import RadioFormats
import Stations
import TestSupport
import Testing

@testable import Relay

/// What players hear of a mount with a fallback while its station is down.
struct FallbackTests {
    private static let framesASecond = 40

    @Test("F17: Players change to the fallback and back between frames, and never run dry")
    func changeOver() throws {
        let rig = try FallbackRig()
        rig.run(10)
        let client = rig.listen()
        rig.run(5) { client.collect() }
        #expect(rig.begun == 0)
        let joined = rig.reactor.now - .seconds(5)
        var least = Duration.seconds(100)
        rig.wait(30) {
            client.collect()
            least = min(least, FallbackRig.audio(client.body) - (rig.reactor.now - joined))
        }
        #expect(least > .zero, "\(least)")
        // After a splice, all audio since the outage began arrives at once.
        rig.station.play(30 * Self.framesASecond)
        rig.run(5) { client.collect() }
        let heard = try #require(rig.heard(client.body))
        // The player gets the station, the fallback, and the station again. The frames of each are in order, and those
        // of the station are complete.
        #expect(heard.stretches.map(\.kind) == [.station, .fallback, .station], "\(heard.stretches)")
        let own = heard.stretches.filter { $0.kind == .station }.flatMap(\.numbers)
        #expect(own.isUnbroken && rig.station.frames - (own.last ?? 0) <= 45)
        #expect(heard.stretches[1].numbers.isUnbroken)
        // The fallback began with a burst, so that the player's cushion is as large as before.
        let other = RelayRig.frameDuration * heard.stretches[1].numbers.count
        #expect(other > .seconds(26) && other < .seconds(32), "\(other)")
        #expect(rig.begun == 1)
        // The fallback runs no longer than it is needed.
        rig.run(15) { client.collect() }
        #expect(rig.ended == 1)
    }

    @Test(
        "F17: After a gap a player returns from the fallback to the live edge, and a recorder never gets the fallback")
    func gap() throws {
        let rig = try FallbackRig()
        rig.run(10)
        let player = rig.listen()
        let recorder = rig.listen("\(FillerField.name): none\r\n")
        let collect = {
            player.collect()
            recorder.collect()
        }
        rig.wait(20, collect)
        rig.station.hub.report(RelayRig.gap())
        rig.station.play(20 * Self.framesASecond)
        rig.run(5, collect)
        let heard = try #require(rig.heard(player.body))
        #expect(heard.stretches.map(\.kind) == [.station, .fallback, .station])
        let back = try #require(heard.stretches.last?.numbers)
        #expect(back.isUnbroken && (back.first ?? 0) > 10 * Self.framesASecond + 15 * Self.framesASecond)
        let recorded = try #require(rig.heard(recorder.body))
        #expect(recorded.stretches.map(\.kind) == [.station] && recorder.end == .closed)
    }

    @Test("F17: The fallback's title comes with its first frame, and the station's title when the station is back")
    func titles() throws {
        let rig = try FallbackRig(interval: 1000)
        rig.station.hub.setTitle("Station")
        rig.run(10)
        let client = rig.listen("Icy-MetaData: 1\r\n")
        rig.wait(15) { client.collect() }
        rig.station.play(40)
        rig.run(5) { client.collect() }
        let (_, blocks) = ICYSplit.split(client.body, interval: 1000)
        #expect(blocks.titled.map(\.title) == ["Station", "Fallback", "Station"])
    }

    @Test("F17: A player that joins after a long outage gets the fallback, and then the station")
    func late() throws {
        let rig = try FallbackRig(longestOutage: .seconds(30))
        rig.run(10)
        rig.wait(60)
        #expect(rig.begun == 0)
        let player = rig.listen()
        let refused = rig.ask("GET /live HTTP/1.0\r\n\(FillerField.name): none\r\n\r\n")
        #expect(refused.text.hasPrefix("HTTP/1.0 503 "))
        rig.wait(60) { player.collect() }
        #expect(rig.begun == 1 && player.text.hasPrefix("HTTP/1.0 200 "))
        rig.run(10) { player.collect() }
        let heard = try #require(rig.heard(player.body))
        #expect(heard.stretches.map(\.kind) == [.fallback, .station], "\(heard.stretches)")
        #expect(rig.station.frames - (heard.stretches.last?.numbers.last ?? 0) <= 45)
    }

    @Test("F17: If the station does not come up, players get the fallback after three seconds")
    func neverThere() throws {
        let rig = try FallbackRig(stationFormat: nil)
        let client = rig.reactor.connect(port: rig.port)
        client.send("GET /live HTTP/1.0\r\n\r\n")
        rig.wait(2) { client.collect() }
        #expect(rig.begun == 0 && client.received.isEmpty)
        rig.wait(20) { client.collect() }
        #expect(rig.begun == 1 && rig.heard(client.body)?.stretches.map(\.kind) == [.fallback])
        client.close()
        // The kernel may tell of the end a little later.
        for _ in 0..<20 where rig.ended == 0 { rig.wait(20) }
        #expect(rig.mount.listenerCount == 0 && rig.ended == 1)
    }

    @Test(
        "F17: A fallback of another kind is reported as unusable, and players get silence",
        arguments: [
            StreamFormat(codec: .aac, mpegVersion: .mpeg4, sampleRate: 44_100, channels: 2, profile: 1),
            StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 48_000, channels: 2),
            StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 44_100, channels: 1),
        ])
    func otherKind(format: StreamFormat) throws {
        let rig = try FallbackRig(format: format)
        rig.run(10)
        let clients = (0..<20).map { _ in rig.listen() }
        rig.wait(60) { clients.forEach { $0.collect() } }
        #expect(rig.notices == [.began, .otherKind(format.kind, station: RelayRig.mp3.kind)])
        for client in clients { #expect(rig.heard(client.body)?.stretches.map(\.kind) == [.station, .silence]) }
    }

    @Test("F31: While players are sent the fallback, the status says so, with the fallback's title")
    func state() throws {
        let rig = try FallbackRig()
        rig.station.hub.setTitle("Station")
        rig.run(10)
        let client = rig.listen()
        rig.run(5) { client.collect() }
        #expect(rig.mount.state == .live && rig.mount.sentTitle == "Station")
        rig.wait(20) { client.collect() }
        #expect(rig.mount.state == .fallback && rig.mount.sentTitle == "Fallback")
        rig.run(5) { client.collect() }
        #expect(rig.mount.state == .live && rig.mount.sentTitle == "Station")
    }

    @Test("F17: If the fallback ends as well, players get silence until the station is back")
    func bothAway() throws {
        let rig = try FallbackRig()
        rig.run(10)
        let client = rig.listen()
        rig.wait(15) { client.collect() }
        rig.endFallback()
        rig.mayBegin = false
        rig.wait(15) { client.collect() }
        #expect(rig.notices.contains(.failed(nil)))
        rig.station.play(30 * Self.framesASecond)
        rig.run(5) { client.collect() }
        let heard = try #require(rig.heard(client.body))
        let kinds = heard.stretches.map(\.kind)
        #expect(kinds.prefix(3) == [.station, .fallback, .silence] && kinds.last == .station, "\(kinds)")
        let own = heard.stretches.filter { $0.kind == .station }.flatMap(\.numbers)
        #expect(own.isUnbroken && rig.station.frames - (own.last ?? 0) <= 45)
    }

    @Test("F17: In Ogg each change is a new link with its headers, and no packet of the station is lost")
    func ogg() throws {
        let rig = try FallbackRig(format: FallbackRig.opus, stationFormat: FallbackRig.opus)
        rig.run(10)
        let client = rig.listen()
        rig.wait(20) { client.collect() }
        rig.station.play(100)
        rig.run(5) { client.collect() }
        rig.station.hub.end(nil)
        rig.wait(2) { client.collect() }
        var framer = OggFramer()
        client.body.withUnsafeBytes { framer.append($0) }
        framer.finish()
        var (stretches, links, skipped) = ([(kind: UInt8, numbers: [Int])](), 0, 0)
        while let event = framer.next() {
            switch event {
            case .format: links += 1
            case .frame(let frame):
                let packet = framer.withBytes(of: frame) { Array($0) }
                if stretches.last?.kind != packet[5] { stretches.append((packet[5], [])) }
                stretches[stretches.count - 1].numbers.append(packet[1..<5].reduce(0) { $0 << 8 | Int($1) })
            case .skipped(let bytes, let reason): skipped += reason == .container ? 0 : bytes
            default: break
            }
        }
        #expect(stretches.map(\.kind) == [1, FallbackRig.filling, 1] && skipped == 0, "\(stretches.map(\.kind))")
        #expect(stretches.filter { $0.kind == 1 }.flatMap(\.numbers).isUnbroken)
        #expect(stretches.allSatisfy { $0.numbers.isUnbroken } && links >= 1)
    }

    @Test("F17: Hundreds of players change to the fallback and back, each on its own turn")
    func many() throws {
        let rig = try FallbackRig()
        rig.run(10)
        let clients = (0..<200).map { _ in rig.listen() }
        let collect = { for client in clients { client.collect() } }
        rig.wait(10, collect)
        let before = rig.mount.turns.all.count { $0.home != nil }
        rig.station.play(5 * Self.framesASecond)
        // No listener returns to the station within the call of `play` itself.
        #expect(before == 200 && rig.mount.turns.all.count { $0.home != nil } == 200)
        rig.run(3, collect)
        #expect(rig.mount.turns.all.count { $0.home != nil } == 0)
        for client in clients {
            let heard = try #require(rig.heard(client.body))
            #expect(heard.stretches.map(\.kind) == [.station, .fallback, .station])
            #expect(heard.stretches.filter { $0.kind == .station }.flatMap(\.numbers).isUnbroken)
        }
    }
}
