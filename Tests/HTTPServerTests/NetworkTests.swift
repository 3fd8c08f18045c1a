// SPDX-License-Identifier: MIT

import HTTPServer
import Testing

@Suite struct NetworkTests {
    @Test(
        "A network contains its addresses and no others",
        arguments: [
            ("192.168.0.0/16", "192.168.255.255", "192.169.0.0"),
            ("192.168.7.9/16", "192.168.0.0", "10.0.0.1"),
            ("10.0.0.1", "10.0.0.1", "10.0.0.2"),
            ("10.0.0.1/31", "10.0.0.0", "10.0.0.2"),
            ("0.0.0.0/0", "255.1.2.3", "::1"),
            ("fd00::/8", "fdff::1", "fe00::"),
            ("2001:db8::/65", "2001:db8::7fff:0:0:1", "2001:db8::8000:0:0:1"),
            ("::1", "::1", "127.0.0.1"),
            ("::/0", "2001:db8::1", "1.2.3.4"),
            ("::ffff:10.0.0.0/104", "10.200.0.1", "11.0.0.0"),
            ("::ffff:10.0.0.1", "10.0.0.1", "10.0.0.2"),
        ])
    func contains(_ text: String, _ inside: String, _ outside: String) throws {
        let network = try #require(IPNetwork(text))
        #expect(network.contains(try #require(SocketAddress.Host(inside))))
        #expect(!network.contains(try #require(SocketAddress.Host(outside))))
    }

    @Test(
        "A text that is no network is refused",
        arguments: [
            "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10.0.0/8",
            "::/129",
            "10.0.0.0/0008", "::ffff:10.0.0.0/95", "10.0.0.0 /8", "host", "[::1]", "10.0.0.1:80", "10.0.0.1\0",
            "fe80::1%lo",
        ])
    func invalidNetworks(_ text: String) {
        #expect(IPNetwork(text) == nil)
    }

    @Test(
        "A network is written in its short form",
        arguments: [("192.168.7.9/16", "192.168.0.0/16"), ("fd12::1/8", "fd00::/8"), ("10.0.0.1/32", "10.0.0.1")])
    func shortForm(_ text: String, _ short: String) {
        #expect(IPNetwork(text)?.description == short)
    }

    @Test("Denied networks are checked before allowed ones") func denyBeforeAllow() throws {
        var policy = NetworkPolicy()
        let home = ServedClient(try #require(SocketAddress.Host("192.168.1.5")))
        let guest = ServedClient(try #require(SocketAddress.Host("192.168.9.5")))
        let stranger = ServedClient(try #require(SocketAddress.Host("2001:db8::1")))
        #expect([home, guest, stranger].allSatisfy(policy.permits))
        policy.denied = try [#require(IPNetwork("192.168.9.0/24"))]
        #expect([home, guest, stranger].map(policy.permits) == [true, false, true])
        policy.allowed = try [#require(IPNetwork("192.168.0.0/16"))]
        #expect([home, guest, stranger].map(policy.permits) == [true, false, false])
    }
}
