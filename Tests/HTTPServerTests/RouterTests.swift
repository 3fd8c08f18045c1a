// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import HTTPServer

@Suite struct RouterTests {
    @Test(
        "A path's own route comes first, then the longest prefix, whose handler gets the rest",
        arguments: [
            ("/files/", "/files/ []"), ("/files/a", "/files/ [a]"), ("/files/a/b.mp3", "/files/ [a/b.mp3]"),
            ("/files/hls/", "/files/hls/ []"), ("/files/hls/1.mp3", "/files/hls/ [1.mp3]"), ("/files/own", "own"),
            ("/files/hlsx", "/files/ [hlsx]"), ("/files/own/", "/files/ [own/]"), ("/files//a", "/files/ [/a]"),
            // For Swift, a slash with a combining mark is another character; for the router it is still the byte of a
            // slash.
            ("/files/\u{301}x", "/files/ [\u{301}x]"), ("/files", nil), ("/file", nil), ("/", nil), ("*", nil),
        ] as [(String, String?)])
    func prefixes(_ path: String, _ answer: String?) throws {
        let site = try Site()
        site.service.router.add("/files/own", [.get]) { $0.respond(HTTPResponse(.ok, text: "own")) }
        for prefix in ["/files/", "/files/hls/", "/other/"] {
            site.service.router.add(under: prefix, [.get]) { exchange, rest in
                exchange.respond(HTTPResponse(.ok, text: "\(prefix) [\(rest)]"))
            }
        }
        let encoded = path.utf8.map { $0 < 0x80 ? String(Unicode.Scalar($0)) : "%" + String($0, radix: 16) }.joined()
        let client = site.get(encoded)
        #expect(client.status == (answer == nil ? (path == "*" ? 400 : 404) : 200))
        if let answer { #expect(client.body == Array("\(answer)\n".utf8)) }
        // The matching route refuses methods that it does not allow, although a shorter prefix also matches.
        if answer == "own" { #expect(site.get(encoded, method: "DELETE").status == 405) }
        site.close()
    }

    @Test("The rules of a prefix apply to all paths below it") func rulesOfPrefix() throws {
        let site = try Site()
        var rules = HTTPRouteRules()
        rules.networks.denied = IPNetwork.loopback
        site.service.router.add(under: "/files/", [.get], rules: rules) { exchange, _ in
            exchange.respond(HTTPResponse(.ok))
        }
        #expect(site.get("/files/a").status == 403)
        site.service.router.remove(under: "/files/")
        #expect(site.get("/files/a").status == 404)
        site.close()
    }

    @Test("The last handler added for a prefix answers") func lastHandler() {
        var router = HTTPRouter()
        for methods in [[HTTPMethod.get], [.post]] { router.add(under: "/a/", methods) { _, _ in } }
        #expect(router.route("/a/b")?.methods == [.post])
        router.remove(under: "/a/")
        #expect(router.route("/a/b") == nil)
    }
}
