// SPDX-License-Identifier: MIT

import TestTools
import Testing

@testable import HTTPServer

/// The client on whose behalf a trusted proxy sends a request.
@Suite struct ClientAddressTests {
    private typealias Forwarded = (fields: [(String, String)], client: String)

    // The list has an explicit type, because the compiler takes seconds to infer it.
    private static let forwarded: [Forwarded] = [
        ([("x-forwarded-for", "203.0.113.9")], "203.0.113.9"),
        // Addresses before the last untrusted one may be invented.
        ([("x-forwarded-for", "1.1.1.1, 203.0.113.9")], "203.0.113.9"),
        ([("x-forwarded-for", "203.0.113.9, 10.0.0.7")], "203.0.113.9"),
        ([("x-forwarded-for", "1.1.1.1"), ("x-forwarded-for", "203.0.113.9")], "203.0.113.9"),
        ([("x-forwarded-for", "203.0.113.9:4711")], "203.0.113.9"),
        ([("x-forwarded-for", "2001:db8::5")], "2001:db8::5"),
        ([("x-forwarded-for", "[2001:db8::5]:4711")], "2001:db8::5"),
        ([("x-forwarded-for", "::ffff:203.0.113.9")], "203.0.113.9"),
        // All addresses are proxies: the first one is the client.
        ([("x-forwarded-for", "10.0.0.8, 10.0.0.7")], "10.0.0.8"),
        // A proxy that writes no address does not name its client.
        ([("x-forwarded-for", "203.0.113.9, unknown")], "unnamed by 10.0.0.1"),
        ([("x-forwarded-for", "203.0.113.9, junk, 10.0.0.7")], "unnamed by 10.0.0.7"),
        ([("x-forwarded-for", "203.0.113.9,")], "unnamed by 10.0.0.1"),
        ([("x-forwarded-for", "localhost:80")], "unnamed by 10.0.0.1"),
        ([("x-forwarded-for", "")], "unnamed by 10.0.0.1"),
        ([("x-forwarded-for", " \t ")], "unnamed by 10.0.0.1"),
        ([("x-forwarded-for", ",")], "unnamed by 10.0.0.1"),
        ([("forwarded", "")], "unnamed by 10.0.0.1"),
        ([("forwarded", "proto=https")], "unnamed by 10.0.0.1"),
        ([("forwarded", "proto=https"), ("x-forwarded-for", "")], "unnamed by 10.0.0.1"),
        ([], "10.0.0.1"),
        ([("forwarded", "for=192.0.2.43;proto=http, for=198.51.100.17")], "198.51.100.17"),
        ([("forwarded", "by=10.0.0.1;For=\"[2001:db8:cafe::17]:4711\"")], "2001:db8:cafe::17"),
        ([("forwarded", "for=_hidden")], "unnamed by 10.0.0.1"),
        ([("forwarded", "for=\"203.0.113.9\" ; host=x, for=10.0.0.7")], "203.0.113.9"),
        ([("forwarded", "for=203.0.113.9"), ("x-forwarded-for", "203.0.113.9")], "203.0.113.9"),
        ([("forwarded", "proto=https;host=radio.example"), ("x-forwarded-for", "203.0.113.9")], "203.0.113.9"),
        (
            [("forwarded", "for=1.1.1.1, for=203.0.113.9"), ("x-forwarded-for", "203.0.113.9, 10.0.0.7")],
            "203.0.113.9"
        ),
        // A proxy sends one of the two fields, so the client itself has sent the other one.
        ([("forwarded", "for=1.1.1.1"), ("x-forwarded-for", "203.0.113.9")], "unnamed by 10.0.0.1"),
        ([("forwarded", "for=203.0.113.9"), ("x-forwarded-for", "10.0.0.7")], "unnamed by 10.0.0.1"),
        ([("forwarded", "for=203.0.113.9"), ("x-forwarded-for", "junk")], "unnamed by 10.0.0.1"),
        ([("forwarded", "for=203.0.113.9"), ("x-forwarded-for", "")], "203.0.113.9"),
    ]

    @Test("The client is the last forwarded address that is no trusted proxy", arguments: forwarded)
    func lastUntrusted(_ fields: [(String, String)], _ expected: String) throws {
        let head = HTTPRequestHead(
            method: .get, target: HTTPTarget(path: "/"), fields: fields.map { HTTPField($0.0, $0.1) })
        #expect(try Self.client(head) == expected)
    }

    @Test(
        "A head that streams tolerate despite a fault does not name the client",
        arguments: [
            "X-Forwarded-For : 203.0.113.9", "X-Forwarded-For: 203.0.113.9\r\n , 10.0.0.7",
            "X-Forwarded-For: 203.0.113.9\r\nno colon",
        ])
    func fault(_ fields: String) throws {
        var parser = HTTPHeadParser()
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n".utf8)
        guard case .head(let head, _) = try bytes.withUnsafeBytes({ try parser.read($0) })
        else { throw SetupError("no head") }
        #expect(try Self.client(head) == "unnamed by 10.0.0.1")
    }

    /// The client behind the proxy 10.0.0.1, whose network is trusted.
    private static func client(_ head: HTTPRequestHead) throws -> String {
        let proxy = try #require(SocketAddress.Host("10.0.0.1"))
        let trusted = try [#require(IPNetwork("10.0.0.0/24"))]
        let client = ClientAddress.behind(proxy, head, trusted: trusted)
        return (client.isNamed ? "" : "unnamed by ") + client.host.description
    }
}
