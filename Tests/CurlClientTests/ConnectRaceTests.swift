// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import TestSupport
import TestTools
import Testing

@testable import CurlClient

/// Hosts with several addresses, and names that no longer resolve.
struct ConnectRaceTests {
    /// A server that answers with one byte.
    private static func server() throws -> ScriptedServer {
        try ScriptedServer { connection in
            guard !connection.readHead().isEmpty else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        }
    }

    private static func request(_ port: UInt16, _ addresses: String...) -> TransferRequest {
        var request = TransferRequest(url: "http://station.invalid:\(port)/live")
        if !addresses.isEmpty {
            request.fixedAddresses = ["station.invalid:\(port):\(addresses.joined(separator: ","))"]
        }
        return request
    }

    @Test(
        "A11: The address after a black hole is used within half a second",
        arguments: [["127.0.0.2"], ["127.0.0.2", "127.0.0.3"]])
    func blackHoles(at addresses: [String]) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let holes = try addresses.map { try BlackHole(address: $0, port: Int(server.port)) }
        var request = Self.request(server.port)
        request.fixedAddresses = [
            "station.invalid:\(server.port):\((addresses + ["127.0.0.1"]).joined(separator: ","))"
        ]
        // The fastest of up to twelve fetches counts, because the machine may be busy with other tests.
        var best = Duration.seconds(60)
        var goes = 0
        repeat {
            goes += 1
            let began = MonotonicInstant.now
            let outcome = try await fetch(request)
            best = min(best, .now - began)
            #expect(outcome.error == nil && outcome.text == "x")
            #expect(outcome.phases == [.resolving, .connecting, .waitingForHead, .receiving])
            #expect(outcome.head?.peerAddress == "127.0.0.1")
        } while goes < 12 && best > .milliseconds(500 * addresses.count)
        #expect(best <= .milliseconds(500 * addresses.count))
        #expect(server.accepted == goes)
        withExtendedLifetime(holes) {}
    }

    @Test("If no address answers, the usual connect timeout applies and is reported")
    func onlyBlackHoles() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let holes = try ["127.0.0.2", "127.0.0.3"].map { try BlackHole(address: $0, port: Int(server.port)) }
        var request = Self.request(server.port, "127.0.0.2", "127.0.0.3")
        request.connectTimeout = .seconds(1)
        let outcome = try await fetch(request)
        #expect(outcome.error?.code == .connectTimeout, "\(String(describing: outcome.error))")
        #expect(outcome.phases == [.resolving, .connecting])
        withExtendedLifetime(holes) {}
    }

    @Test("Cancelling while several addresses are tried closes all of them, and nothing is reported after it")
    func cancelling() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let holes = try ["127.0.0.2", "127.0.0.3"].map { try BlackHole(address: $0, port: Int(server.port)) }
        let request = Self.request(server.port, "127.0.0.2", "127.0.0.3")
        try await Bench.with { bench in
            let outcome = await bench.fetchCancelling(request, at: .phase(.connecting))
            #expect(outcome?.error == nil)
        }
        // The same, but the client is closed instead of the transfer being cancelled.
        try await Bench.with { bench in
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                bench.loop.post {
                    let timer = bench.loop.reactor.makeTimer { continuation.resume() }
                    timer.arm(at: bench.loop.reactor.now + .milliseconds(400))
                    let listener = Listener { _, _, _ in withExtendedLifetime(timer) {} }
                    _ = bench.client?.start(request, delegate: listener)
                }
            }
        }
        withExtendedLifetime(holes) {}
    }

    @Test("A network change restarts connections being made and keeps established ones")
    func networkChange() async throws {
        let server = try Self.server()
        defer { server.stop() }
        // Without a new connection, the kernel repeats its SYN after a second, never sooner, and is refused only then.
        // A busy machine may be late once, but not five times.
        var time = Duration.seconds(1)
        for _ in 0..<5 where time >= .milliseconds(900) { time = try await refusal(port: server.port) }
        #expect(time < .milliseconds(900))

        let connected = try await Bench.with { bench in
            await bench.fetch(TransferRequest(url: server.url())) { _, moment, _ in
                if moment == .phase(.waitingForHead) { bench.client?.networkChanged() }
            }
        }
        #expect(connected.text == "x" && server.accepted == 1)
    }

    /// The time until a transfer is refused. Its address does not answer until the network changes, and then refuses.
    private func refusal(port: UInt16) async throws -> Duration {
        let hole = Watched<BlackHole?>(try BlackHole(address: "127.0.0.2", port: Int(port)))
        let began = MonotonicInstant.now
        let outcome = try await Bench.with { bench in
            await bench.fetch(Self.request(port, "127.0.0.2")) { _, moment, _ in
                guard moment == .phase(.connecting) else { return }
                // curl connects only when this call returns, so the change is posted.
                bench.loop.post {
                    hole.change { $0 = nil }
                    bench.client?.networkChanged()
                }
            }
        }
        #expect(outcome.error?.code == .refused && outcome.phases == [.resolving, .connecting], "\(outcome)")
        return .now - began
    }

    @Test("A12: A name that no longer resolves is tried once at its last address")
    func lastAddress() async throws {
        let (server, other) = (try Self.server(), try Self.server())
        defer { for server in [server, other] { server.stop() } }
        let deadPort = try ScriptedServer.deadPort()
        try await Bench.with { bench in
            // The address book has one entry for each host; curl's own cache of lookups has one for each host and port.
            // So only the address book knows the host's address at another port.
            let first = await bench.fetch(Self.request(server.port, "127.0.0.1"))
            #expect(first.text == "x")
            let second = await bench.fetch(Self.request(other.port))
            #expect(second.error == nil && second.text == "x", "\(String(describing: second.error))")
            #expect(second.head?.peerAddress == "127.0.0.1")
            #expect(second.phases.last == .receiving && second.phases == second.phases.sorted())
            // The last address fails, and is not tried again. The error is about the host's name, not about its old
            // address.
            var failing = Self.request(deadPort)
            failing.connectTimeout = .seconds(4)
            var failed = await bench.fetch(failing)
            #expect([.unknownHost, .connectTimeout].contains(failed.error?.code))
            #expect(failed.error?.message.contains("refused") == false)
            failing = Self.request(try ScriptedServer.deadPort())
            failing.connectTimeout = .seconds(3)
            failed = await bench.fetch(failing)
            #expect(failed.phases == [.resolving])
        }
        #expect(server.accepted == 1 && other.accepted == 1)
    }

    @Test("A host that was never reached has no last address")
    func unknownHost() async throws {
        var request = TransferRequest(url: "http://nobody.invalid/")
        request.connectTimeout = .seconds(3)
        let outcome = try await fetch(request)
        #expect([.unknownHost, .connectTimeout].contains(outcome.error?.code))
        #expect(outcome.phases == [.resolving])
    }

    @Test("The address book is bounded and keeps the newest addresses")
    func book() throws {
        let (one, two) = try (#require(PeerAddress("192.0.2.1")), #require(PeerAddress("2001:db8::1")))
        var book = AddressBook()
        for number in 0..<300 { book.found("host\(number)", at: one) }
        #expect(book.address(of: "host43") == nil && book.address(of: "host44") == one)
        book.found("host44", at: two)
        book.found("host300", at: one)
        #expect(book.address(of: "host44") == two && book.address(of: "host45") == nil)
        book.failed("host44", at: one)
        #expect(book.address(of: "host44") == two, "it has moved since")
        book.failed("host44", at: two)
        #expect(book.address(of: "host44") == nil)
    }

    @Test("The host of a URL is the one that curl reads")
    func hosts() {
        #expect(CurlLibrary.host(of: "http://u:p@Radio.Example:8000/a?b") == "radio.example")
        #expect(CurlLibrary.host(of: "radio.example/live") == "radio.example")
        #expect(CurlLibrary.host(of: "https://[::1]:8443/") == "[::1]")
        #expect(CurlLibrary.host(of: "http://") == nil && CurlLibrary.host(of: "") == nil)
        #expect(CurlLibrary.host(of: "http://" + String(repeating: "a", count: 300) + "/") == nil)
        #expect(PeerAddress("::1")?.hostOfURL == "[::1]" && PeerAddress("127.0.0.1")?.hostOfURL == "127.0.0.1")
    }
}
