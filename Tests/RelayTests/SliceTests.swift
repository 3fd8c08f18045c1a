// SPDX-License-Identifier: MIT

import EventLoop
import HTTPServer
import Instants
import RadioFormats
import Stations
import TestSupport
import Testing

@testable import Relay

/// Thousands of listeners do not hold up the loop.
struct SliceTests {
    @Test("A turn stops after five milliseconds, and the next turns serve the rest, each listener once")
    func slices() throws {
        let reactor = TickingReactor()
        let service = HTTPService(reactor: reactor)
        let port = try service.listen(try #require(SocketAddress("127.0.0.1:0"))).port
        let hub = StreamHub()
        let mount = Mount("/live", on: service, reactor: reactor)
        mount.tune(to: hub)
        hub.begin(RelayRig.mp3)
        play(200, into: hub)
        let clients = (0..<300).map { _ in reactor.polled.connect(port: port) }
        for client in clients { client.send("GET /live HTTP/1.0\r\n\r\n") }
        reactor.polled.pump { mount.listenerCount == 300 }
        clients.forEach { $0.discard() }
        let listeners = mount.turns.all
        let before = listeners.map(\.bytesSent)
        let served = { zip(listeners, before).count { $0.bytesSent > $1 } }

        play(40, into: hub)
        reactor.ahead = .seconds(1.1)
        // The clock advances by a millisecond each time it is read, and it is read once for 16 listeners.
        mount.turns.turn()
        #expect((16...96).contains(served()), "\(served())")
        for _ in 0..<10 { mount.turns.turn() }
        #expect(served() == 300)
        #expect(zip(listeners, before).allSatisfy { $0.bytesSent - $1 == 40 * Int64(RelayRig.frameSize) })
        mount.close()
        service.close()
        reactor.polled.drain()
    }

    @Test("All requests that wait for a station are refused when it fails, even if it is released first")
    func inVain() throws {
        let reactor = TickingReactor()
        let service = HTTPService(reactor: reactor)
        let port = try service.listen(try #require(SocketAddress("127.0.0.1:0"))).port
        var settings = MountSettings()
        settings.isOnDemand = true
        let mount = Mount("/live", on: service, reactor: reactor, settings: settings)
        var wanted: [Bool] = []
        mount.onWanted = { wanted.append($0) }
        let clients = (0..<100).map { _ in reactor.polled.connect(port: port) }
        for client in clients { client.send("GET /live HTTP/1.0\r\n\r\n") }
        reactor.polled.pump { mount.waiting.count == 100 }
        let hub = StreamHub()
        mount.tune(to: hub)
        hub.end(nil)
        mount.detune()
        // The clock advances by a millisecond each time it is read.
        let left = mount.waiting.count
        #expect((80..<100).contains(left))
        // A new client does not delay the others.
        let late = reactor.polled.connect(port: port)
        late.send("GET /live HTTP/1.0\r\n\r\n")
        reactor.polled.pump { mount.waiting.count > left }
        let start = reactor.now
        reactor.polled.pump {
            reactor.polled.advance(by: .milliseconds(1))
            return mount.waiting.isEmpty
        }
        #expect(mount.waiting.isEmpty && wanted == [true, false])
        #expect(reactor.now - start < .seconds(1))
        let everybody = clients + [late]
        reactor.polled.pump { everybody.allSatisfy { $0.collect().end != nil } }
        #expect(everybody.allSatisfy { $0.text.hasPrefix("HTTP/1.0 503 ") })
        mount.close()
        service.close()
        reactor.polled.drain()
    }

    @Test("F13: When a station changes its container or is released, each listener ends on its own turn")
    func ownTurns() throws {
        let rig = try RelayRig()
        let opus = StreamFormat(
            codec: .opus, sampleRate: 48_000, channels: 2, headerPackets: [OpusHead.identification, OpusHead.comments])
        var ends: [Int] = []
        for format in [opus, RelayRig.mp3, opus] {
            rig.run(2)
            let clients = (0..<40).map { _ in rig.listen() }
            rig.run(1) { clients.forEach { $0.discard() } }
            rig.play(1)
            let before = rig.mount.turns.all.reduce(0) { $0 + $1.bytesSent }
            rig.hub.begin(format)
            rig.play(1)
            // Nothing was done in the call itself.
            #expect(rig.mount.listenerCount == 40)
            #expect(rig.mount.turns.all.reduce(0) { $0 + $1.bytesSent } == before)
            rig.run(2) { clients.forEach { $0.collect() } }
            rig.reactor.pump { clients.allSatisfy { $0.collect().end != nil } }
            ends.append(clients.count { $0.end == .closed })
            #expect(rig.mount.listenerCount == 0)
        }
        #expect(ends == [40, 40, 40])
        rig.run(5)
        let clients = (0..<40).map { _ in rig.listen() }
        rig.run(1) { clients.forEach { $0.discard() } }
        rig.play(1)
        rig.mount.detune()
        #expect(rig.mount.listenerCount == 40)
        rig.wait(2) { clients.forEach { $0.collect() } }
        rig.reactor.pump { clients.allSatisfy { $0.collect().end != nil } }
        #expect(rig.mount.listenerCount == 0 && clients.allSatisfy { !$0.received.isEmpty })
    }

    private func play(_ frames: Int, into hub: StreamHub) {
        let frame = [UInt8](repeating: 1, count: RelayRig.frameSize)
        for _ in 0..<frames { frame.withUnsafeBytes { hub.append($0, samples: 1152, backReference: 0) } }
        hub.flush()
    }
}

/// A reactor on which each look at the clocks takes a millisecond.
private final class TickingReactor: Reactor {
    let polled = PolledReactor()
    /// Time that has passed without any callback.
    var ahead = Duration.zero
    private var looks = 0

    var now: MonotonicInstant { polled.now + ahead }
    var wallNow: WallInstant { polled.wallNow + ahead }
    var inbox: Inbox { polled.inbox }

    func readClocks() -> ClockReading {
        looks += 1
        return ClockReading(wall: wallNow, now: now + .milliseconds(looks))
    }

    func makeTimer(_ handler: @escaping () -> Void) -> any ReactorTimer { polled.makeTimer(handler) }

    func watch(_ descriptor: CInt, _ handler: @escaping (Readiness) -> Void) -> any SocketWatch {
        polled.watch(descriptor, handler)
    }

    func `defer`(_ handler: @escaping () -> Void) { polled.defer(handler) }

    func watchSignal(_ number: CInt, _ handler: @escaping () -> Void) -> any SignalWatch {
        polled.watchSignal(number, handler)
    }
}
