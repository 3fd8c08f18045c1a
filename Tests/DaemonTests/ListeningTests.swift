// SPDX-License-Identifier: MIT

import Engine
import EventLoop
import HTTPServer
import RadioCore
import TestSupport
import Testing

@testable import Configuration
@testable import Daemon

/// Addresses of `listen`, each of which is handled on its own.
struct ListeningTests {
    private let rig: DaemonRig

    init() throws { rig = try DaemonRig(Self.scripts) }

    private static let scripts = ["fip": DaemonRig.script()]

    /// An address that another program uses until its descriptor is closed.
    private static func taken() throws -> (descriptor: CInt, address: SocketAddress) {
        let descriptor = try Loopback.listen(port: try Loopback.freePort())
        return (descriptor, try #require(SocketAddress("127.0.0.1:\(try Loopback.port(of: descriptor))")))
    }

    /// The failures to listen that the daemon has reported.
    private static func failures(_ rig: DaemonRig) -> [Failure] {
        rig.events.compactMap { if case .notListening(let failure) = $0 { failure } else { nil } }
    }

    /// The reports of addresses that the daemon listens on, by their ports.
    private static func listened(_ rig: DaemonRig) -> [[UInt16]] {
        rig.events.compactMap { if case .listening(let addresses) = $0 { addresses.map(\.port) } else { nil } }
    }

    /// Whether a listener receives the station at this port.
    private static func hears(_ rig: DaemonRig, port: UInt16) -> Bool {
        let client = rig.reactor.connect(port: port)
        client.send("GET /fip HTTP/1.0\r\n\r\n")
        rig.run(2)
        return !client.collect().received.isEmpty
    }

    @Test("Sockets of the service manager have the default limit for each address", arguments: [nil, 0, 7])
    func inherited(wanted: Int?) throws {
        var settings = ServerSettings()
        settings.mostPerAddress = wanted
        settings.listen = [try #require(SocketAddress("127.0.0.1:8000"))]
        var (listening, plain) = (Listening(), Listening())
        let sockets = ListeningSockets()
        sockets.inherit([99])
        var spec = ServiceSpec(addresses: settings.listen, server: "test")
        let own = plain.service(spec, settings)
        spec.sockets = rig.reactor.bind(sockets)
        let service = listening.service(spec, settings)
        #expect(try #require(service).limits.streamsPerAddress == [nil: 100, 0: nil, 7: 7][wanted])
        #expect(own?.limits == spec.limits)
    }

    @Test("Available addresses are served at once, and the others within seconds of becoming free")
    func partlyTaken() throws {
        let (descriptor, address) = try Self.taken()
        var configuration = try rig.configuration([DaemonRig.station("fip")])
        configuration.server.listen.insert(address, at: 0)
        rig.apply(configuration, for: 2)
        let port = rig.port
        #expect(port != 0 && port != address.port && Self.hears(rig, port: port))
        #expect(Self.listened(rig) == [[port]] && Self.failures(rig).count == 1)
        #expect(rig.daemon.listeningFailures.map(\.message) == Self.failures(rig).map(\.message))
        // A failed address does not fail any mount.
        #expect(!rig.events.contains { if case .failed = $0 { true } else { false } })
        rig.run(30)
        #expect(Self.failures(rig).count > 3 && Set(Self.failures(rig)).count == 1)
        Loopback.close(descriptor)
        rig.run(6)
        #expect(Self.listened(rig) == [[port], [port, address.port]] && rig.daemon.listeningFailures.isEmpty)
        #expect(Self.hears(rig, port: address.port))
        let said = Self.failures(rig).count
        rig.run(60)
        #expect(Self.failures(rig).count == said, "nothing is tried again that works")
    }

    @Test("A daemon without any address serves as soon as it has one") func allTaken() throws {
        let (descriptor, address) = try Self.taken()
        var configuration = try rig.configuration([DaemonRig.station("fip")])
        configuration.server.listen = [address]
        rig.apply(configuration, for: 2)
        #expect(Self.listened(rig).isEmpty && Self.failures(rig).count == 1)
        Loopback.close(descriptor)
        rig.run(6)
        #expect(Self.listened(rig) == [[address.port]] && Self.hears(rig, port: address.port))
    }

    @Test("An address takes the place of one that covers it") func narrowedAddress() throws {
        var configuration = try rig.configuration([DaemonRig.station("fip")])
        let port = try Loopback.freePort()
        configuration.server.listen = [try #require(SocketAddress("0.0.0.0:\(port)"))]
        rig.apply(configuration, for: 2)
        configuration.server.listen = [try #require(SocketAddress("127.0.0.1:\(port)"))]
        rig.apply(configuration, for: 1)
        #expect(Self.failures(rig).isEmpty && Self.hears(rig, port: UInt16(port)))
    }

    @Test("No address is tried again after the end") func stopped() throws {
        let (descriptor, address) = try Self.taken()
        defer { Loopback.close(descriptor) }
        var configuration = try rig.configuration([DaemonRig.station("fip")])
        configuration.server.listen.append(address)
        rig.apply(configuration, for: 2)
        rig.daemon.stop()
        rig.run(20)
        #expect(Self.failures(rig).count == 1)
    }
}
