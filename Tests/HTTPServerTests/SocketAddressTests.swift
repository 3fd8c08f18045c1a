// SPDX-License-Identifier: MIT

import Testing

@testable import HTTPServer

@Suite struct SocketAddressTests {
    @Test(
        "An address is read and written as in a URL",
        arguments: [
            "127.0.0.1:8000", "0.0.0.0:0", "255.255.255.255:65535", "[::1]:8000", "[::]:1", "[2001:db8::5]:80", ":8000",
        ])
    func asInURL(_ text: String) throws {
        #expect(try #require(SocketAddress(text)).description == text)
    }

    @Test(
        "A text that is no address is refused",
        arguments: [
            "", ":", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "1.2.3:80", "256.0.0.1:80",
            "::1:80x",
            "[::1]", "[127.0.0.1]:80", "radio.example:80", "[::1:80", "127.0.0.1:8 ",
        ])
    func invalidAddress(_ text: String) {
        #expect(SocketAddress(text) == nil)
    }

    @Test(
        "Limits treat a global IPv6 network as one client, and each local device as its own",
        arguments: [
            ("2001:db8::1", "2001:db8::ffff:0:0:2", true), ("2001:db8::1", "2001:db8:0:1::1", false),
            ("fe80::1", "fe80::2", false), ("febf::1", "febf::2", false), ("fec0::1", "fec0::2", true),
            ("fc00::1", "fc00::2", false), ("fdff::1", "fdff::2", false), ("fe00::1", "fe00::2", true),
            ("192.0.2.1", "192.0.2.2", false), ("::ffff:192.0.2.1", "192.0.2.1", true),
        ])
    func limits(_ one: String, _ other: String, _ areOne: Bool) throws {
        let keys = try [one, other].map { try #require(SocketAddress.Host($0)).limitKey }
        #expect((keys[0] == keys[1]) == areOne)
        // The same link-local address on two links belongs to two devices.
        let links = [1, 2].map { SocketAddress.Host.v6(high: 0xfe80 << 48, low: 1, scope: $0).limitKey }
        #expect(links[0] != links[1])
    }

    @Test("Loopback addresses are recognised") func loopback() throws {
        for text in ["127.0.0.1:1", "127.9.9.9:1", "[::1]:1", "localhost:1"] {
            #expect(try #require(SocketAddress(text)).isLoopback)
        }
        for text in ["128.0.0.1:1", "0.0.0.0:1", "[::2]:1", "[::]:1"] {
            #expect(try !#require(SocketAddress(text)).isLoopback)
        }
    }
}
