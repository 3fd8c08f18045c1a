// SPDX-License-Identifier: MIT

import CurlClient
import Testing

struct AddressTests {
    @Test(
        "Each address has its reach: private, public or forbidden",
        arguments: [
            ("127.0.0.1", PeerAddress.Reach.nearby), ("10.255.0.1", .nearby), ("172.16.0.1", .nearby),
            ("172.31.255.255", .nearby), ("172.32.0.1", .everywhere), ("172.15.0.1", .everywhere),
            ("192.168.1.1", .nearby), ("192.169.1.1", .everywhere), ("100.64.0.1", .nearby),
            ("100.128.0.1", .everywhere),
            ("169.254.169.254", .never), ("169.253.1.1", .everywhere), ("0.0.0.0", .never), ("224.0.0.1", .never),
            ("239.255.255.255", .never), ("255.255.255.255", .never), ("8.8.8.8", .everywhere),
            ("::", .never), ("::1", .nearby), ("fe80::1", .never), ("febf::1", .never), ("fec0::1", .nearby),
            ("fd00::1", .nearby), ("fc00::1", .nearby), ("ff02::1", .never), ("2001:db8::1", .everywhere),
            ("::ffff:127.0.0.1", .nearby), ("::ffff:169.254.169.254", .never), ("::ffff:8.8.8.8", .everywhere),
            ("64:ff9b::a9fe:a9fe", .never), ("64:ff9b::7f00:1", .nearby), ("2002:7f00:1::1", .nearby),
            ("2002:a9fe:a9fe::1", .never), ("fe80::1%eth0", .never),
        ])
    func reach(text: String, reach: PeerAddress.Reach) throws {
        #expect(try #require(PeerAddress(text)).reach == reach)
    }

    @Test("A text that is not an address is none", arguments: ["", "localhost", "1.2.3", "::1::", "1.2.3.4.5"])
    func invalidAddress(text: String) {
        #expect(PeerAddress(text) == nil)
    }

    @Test("A private address is allowed only while every hop was private") func privateHops() throws {
        let near = try #require(PeerAddress("192.168.1.1"))
        let far = try #require(PeerAddress("8.8.8.8"))
        let never = try #require(PeerAddress("169.254.169.254"))
        var policy = AddressPolicy(allowsPrivateFirst: true)
        #expect(policy.allows(near) && policy.allows(far) && !policy.allows(never))
        policy.connected(to: near)
        #expect(policy.allows(near))
        policy.connected(to: far)
        #expect(!policy.allows(near) && policy.allows(far))
        policy.connected(to: near)
        #expect(!policy.allows(near))
    }

    @Test("A peer whose address cannot be read counts as public") func unreadablePeer() throws {
        var policy = AddressPolicy(allowsPrivateFirst: true)
        policy.connected(to: nil)
        #expect(!policy.allows(try #require(PeerAddress("127.0.0.1"))))
    }
}
