// SPDX-License-Identifier: MIT

import RadioFormats
import Stations
import TestSupport
import Testing

@testable import Relay

/// Clients that record or relay get the station's own audio and nothing else. They find out where audio is missing.
struct RecorderListenerTests {
    private let rig: RelayRig

    init() throws { rig = try RelayRig(running: 10) }

    private static let field = "\(FillerField.name): none\r\n"
    private static let framesASecond = 40

    @Test("F14: A recorder gets no silence in an outage, and continues at the same frame after a splice")
    func splice() throws {
        let recorder = rig.listen(Self.field)
        let player = rig.listen()
        let collect = {
            recorder.collect()
            player.collect()
        }
        rig.wait(590, collect)
        #expect(recorder.end == nil && rig.mount.listenerCount == 2)
        rig.play(20 * Self.framesASecond)
        rig.run(5, collect)
        let heard = try #require(rig.heard(recorder.body))
        #expect(heard.numbers.isUnbroken && heard.silent == 0)
        #expect(rig.frames - (heard.numbers.last ?? 0) <= 45)
        #expect(try #require(rig.heard(player.body)).silent > 20_000)
    }

    @Test("F14: A recorder is closed after the last frame before a gap, and then gets all audio after the gap")
    func gap() throws {
        let recorder = rig.listen(Self.field)
        rig.wait(20) { recorder.collect() }
        // A recorder that joins while the station is down gets the station's last audio, and then the same audio as the
        // first recorder.
        let late = rig.listen(Self.field)
        let last = rig.frames - 1
        rig.gap()
        rig.play(30 * Self.framesASecond)
        rig.wait(2) {
            recorder.collect()
            late.collect()
        }
        for client in [recorder, late] {
            #expect(client.end == .closed)
            let numbers = try #require(rig.frameNumbers(client.body))
            #expect(numbers.isUnbroken && numbers.last == last)
        }
        rig.run(10)
        let back = rig.listen(Self.field)
        let player = rig.listen()
        let new = rig.listen("\(FillerField.name): none; new\r\n")
        rig.run(5) {
            for client in [back, player, new] { client.collect() }
        }
        let numbers = try #require(rig.frameNumbers(back.body))
        #expect(numbers.first == last + 1 && numbers.isUnbroken && back.end == nil)
        #expect(rig.frames - (numbers.last ?? 0) <= 45)
        // A player begins a burst behind the edge.
        #expect(try #require(rig.frameNumbers(player.body)?.first) > last + 30 * Self.framesASecond)
        // A client that has no audio of the station yet begins at the same place.
        #expect(rig.frameNumbers(new.body)?.first == rig.frameNumbers(player.body)?.first)
    }

    @Test("F14: A gap within one connection ends a recorder, and players continue without leaving audio out")
    func leftOut() throws {
        let recorder = rig.listen(Self.field)
        let player = rig.listen()
        let last = rig.frames - 1
        rig.gap(isBreak: false)
        rig.play(30 * Self.framesASecond)
        rig.run(3) {
            recorder.collect()
            player.collect()
        }
        #expect(recorder.end == .closed && rig.frameNumbers(recorder.body)?.last == last)
        #expect(rig.frameNumbers(player.body)?.isUnbroken == true && player.end == nil)
    }

    @Test("F14: Of several gaps at once the first one ends a recorder")
    func gaps() throws {
        let recorder = rig.listen(Self.field)
        rig.play(100)
        let last = rig.frames - 1
        for _ in 0..<3 {
            rig.gap()
            rig.play(50)
        }
        rig.wait(2) { recorder.collect() }
        #expect(recorder.end == .closed)
        #expect(rig.frameNumbers(recorder.body)?.last == last)
        // There are more gaps than are remembered.
        let next = rig.listen(Self.field)
        for _ in 0..<100 {
            rig.gap()
            rig.play(1)
        }
        rig.wait(2) { next.collect() }
        #expect(next.end == .closed && rig.frameNumbers(next.body)?.isUnbroken == true)
    }

    @Test("F14: A recorder that is too slow is closed, and never skips audio")
    func slow() throws {
        let recorder = rig.listen(Self.field, receiveBuffer: 4096)
        rig.run(60)
        #expect(rig.mount.listenerCount == 0 && rig.mount.snapshot.skips == 0)
        recorder.collect()
        let whole = recorder.body.count / RelayRig.frameSize * RelayRig.frameSize
        #expect(rig.frameNumbers(Array(recorder.body.prefix(whole)))?.isUnbroken == true)
    }

    @Test("F14: A mount without filler keeps its listeners in an outage, and leaves no audio out", arguments: [20, 45])
    func plain(burst: Int) throws {
        let rig = try RelayRig(running: 10) { $0.hasFiller = false }
        let player = rig.listen()
        rig.wait(300) { player.collect() }
        #expect(player.end == nil)
        // Another listener is accepted in the meantime.
        let late = rig.listen()
        #expect(late.collect().text.hasPrefix("HTTP/1.0 200 "))
        rig.gap()
        rig.play(burst * Self.framesASecond)
        rig.run(3) { player.collect() }
        let heard = try #require(rig.heard(player.body))
        #expect(heard.silent == 0 && player.end == nil)
        // A recorder that does not identify itself must not lose audio that the relay has.
        #expect(heard.numbers.isUnbroken)
        #expect(rig.frames - (heard.numbers.last ?? 0) <= 45)
    }

    @Test("F14: In a format without silence a recorder is kept as long as players of other formats")
    func noSilence() throws {
        let rig = try RelayRig(
            running: 10, format: StreamFormat(codec: .aac, mpegVersion: .mpeg4, sampleRate: 44100, channels: 2))
        let recorder = rig.listen(Self.field)
        let player = rig.listen()
        rig.wait(70) {
            recorder.collect()
            player.collect()
        }
        #expect(recorder.end == nil && player.end == .closed)
        let late = rig.listen(Self.field)
        #expect(late.collect().text.hasPrefix("HTTP/1.0 200 "))
        rig.close()
    }
}

/// The relays that a mount feeds, none of which may feed itself.
struct RelayLoopTests {
    private static func hop(_ number: Int) -> String {
        let hex = String(number, radix: 16)
        return "1.1 aircheck-" + String(repeating: "0", count: 16 - hex.count) + hex
    }

    @Test("F16: A request that has come through this relay is refused with an explanation")
    func refusal() throws {
        let rig = try RelayRig(running: 2)
        let own = rig.mount.via
        #expect(own.hasPrefix("1.1 aircheck-") && own.utf8.count == 29)
        let others = "1.0 squid (a proxy, with a comment), \(Self.hop(7))"
        let answer = rig.ask("GET /live HTTP/1.1\r\nHost: a\r\nVia: \(others)\r\nVia: \(own)\r\n\r\n")
        #expect(answer.text.hasPrefix("HTTP/1.1 508 Loop Detected\r\n"))
        #expect(answer.text.contains("change the station address of one of the two"))
        #expect(rig.mount.listenerCount == 0 && rig.mount.via == own)
    }

    @Test("F16: The request of a relay names the relays that listen to it, up to a limit")
    func downstream() throws {
        let rig = try RelayRig(running: 2)
        let own = rig.mount.via
        let first = rig.listen("Via: \(Self.hop(1)), \(Self.hop(2))\r\n")
        _ = rig.listen("Via: \(Self.hop(2)), 1.1 nginx, nonsense, 1.1 aircheck-xyz\r\n")
        let hops = { Set(rig.mount.via.split(separator: ",").map { String($0.drop { $0 == " " }) }) }
        #expect(hops() == [Self.hop(1), Self.hop(2), own] && rig.mount.via.hasSuffix(own))
        first.reset()
        rig.run(1)
        rig.reactor.pump { rig.mount.listenerCount == 1 }
        #expect(hops() == [Self.hop(2), own])
        for group in 0..<4 {
            _ = rig.listen("Via: \((0..<50).map { Self.hop(group * 50 + $0) }.joined(separator: ","))\r\n")
        }
        #expect(hops().count == RelayID.mostHops && hops().contains(own))
    }

    @Test("F16: Of too many relays below it, a relay first names those that listen to it directly")
    func directFirst() throws {
        let rig = try RelayRig(running: 2)
        // Each of forty relays has thirty others below it.
        let listeners = (1...40).map { number in
            let others = (1...30).map { Self.hop(number * 100 + $0) }
            return rig.listen("Via: \((others + [Self.hop(number)]).joined(separator: ", "))\r\n")
        }
        let hops = { rig.mount.via.split(separator: ",").map { String($0.drop { $0 == " " }) } }
        #expect(hops().dropLast() == (1...31).map(Self.hop)[...])
        for listener in listeners.prefix(20) { listener.reset() }
        rig.run(1)
        rig.reactor.pump { rig.mount.listenerCount == 20 }
        #expect(hops().prefix(20) == (21...40).map(Self.hop)[...])
        #expect(hops()[20..<31] == (2_101...2_111).map(Self.hop)[...] && hops().count == RelayID.mostHops)
    }

    @Test("F16: A relay that waits for an on-demand station counts as a listening one")
    func waiting() throws {
        let rig = try RelayRig(format: nil) { $0.isOnDemand = true }
        let client = rig.reactor.connect(port: rig.port)
        client.send("GET /live HTTP/1.0\r\nVia: \(Self.hop(9))\r\n\r\n")
        rig.reactor.pump { !rig.mount.waiting.isEmpty }
        #expect(rig.mount.via.hasPrefix(Self.hop(9) + ", "))
        rig.wait(11)
        #expect(rig.mount.waiting.isEmpty && !rig.mount.via.contains(","))
    }

    @Test("F16: A relay that has left is no longer named, even if nothing was sent to it since")
    func left() throws {
        let rig = try RelayRig(running: 10)
        let own = rig.mount.via
        let relays = ["Aircheck-Filler: none\r\n", ""].enumerated().map { number, filler in
            rig.listen("\(filler)Via: \(Self.hop(number + 1))\r\n")
        }
        let recorder = rig.listen("Aircheck-Filler: none\r\n")
        let player = rig.listen()
        rig.wait(20) { for client in relays + [recorder, player] { client.discard() } }
        #expect(rig.mount.via == "\(Self.hop(1)), \(Self.hop(2)), \(own)" && rig.mount.listenerCount == 4)
        for client in relays + [recorder] { client.close() }
        // A player may have closed its sending side only.
        player.finishSending()
        rig.reactor.drain()
        #expect(rig.mount.via == own && rig.mount.turns.count == 1)
        rig.wait(20) { player.collect() }
        #expect(player.end == nil && rig.mount.turns.count == 1)
    }

    @Test("F16: A waiting relay that leaves is no longer named, and its station is no longer wanted")
    func waitingLeft() throws {
        let rig = try RelayRig(format: nil) { $0.isOnDemand = true }
        let own = rig.mount.via
        let clients = (1...3).map { number in
            let client = rig.reactor.connect(port: rig.port)
            client.send("GET /live HTTP/1.0\r\nVia: \(Self.hop(number))\r\n\r\n")
            rig.reactor.pump { rig.mount.waiting.count == number }
            return client
        }
        // More data from a client is not mistaken for its end, however much arrives.
        clients[2].send([UInt8](repeating: 65, count: 100_000))
        rig.reactor.drain()
        #expect(rig.mount.via == "\(Self.hop(1)), \(Self.hop(2)), \(Self.hop(3)), \(own)")
        clients[0].close()
        rig.reactor.drain()
        #expect(rig.mount.via == "\(Self.hop(2)), \(Self.hop(3)), \(own)" && rig.mount.isWanted)
        // The clients that stay are answered when their own waiting time is over.
        rig.wait(11)
        #expect(rig.mount.waiting.isEmpty && rig.mount.via == own)
        #expect(clients[1].collect().text.hasPrefix("HTTP/1.0 503 "))
        let last = rig.reactor.connect(port: rig.port)
        last.send("GET /live HTTP/1.0\r\nVia: \(Self.hop(4))\r\n\r\n")
        rig.reactor.pump { !rig.mount.waiting.isEmpty }
        #expect(rig.mount.isWanted)
        last.close()
        rig.reactor.drain()
        #expect(rig.mount.waiting.isEmpty && rig.mount.via == own && !rig.mount.isWanted)
    }
}
