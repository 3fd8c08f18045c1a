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
    }

    @Test("Each route may change the rules of its set, and a set that is mounted again has other rules")
    func rulesOfSet() throws {
        let site = try Site()
        let routes = RouteSet()
        routes.add(under: "/files/", [.get]) { exchange, _ in exchange.respond(HTTPResponse(.ok)) }
        routes.add("/open", [.get], access: { $0.networks = NetworkPolicy() }) { $0.respond(HTTPResponse(.ok)) }
        var rules = HTTPRouteRules()
        rules.networks.denied = IPNetwork.loopback
        site.service.router.mount(routes, rules: rules)
        #expect(site.get("/files/a").status == 403 && site.get("/open").status == 200)
        site.service.router.mount(routes)
        #expect(site.get("/files/a").status == 200)
        site.service.router.unmount(routes)
        #expect(site.get("/files/a").status == 404 && site.get("/open").status == 404)
    }

    @Test("Several services serve one set, whose routes may answer later") func severalServices() throws {
        let sites = [try Site(), try Site()]
        let routes = RouteSet()
        var waiting: [HTTPExchange] = []
        routes.add("/later", [.get]) { waiting.append($0) }
        for site in sites { site.service.router.mount(routes) }
        let clients = sites.map { site in
            let client = site.reactor.connect(port: site.port)
            client.send("GET /later HTTP/1.0\r\nHost: localhost\r\n\r\n")
            site.reactor.pump { !waiting.isEmpty }
            waiting.removeFirst().respond(HTTPResponse(.ok, text: "\(site.port)"))
            site.reactor.pump { client.collect().end != nil }
            return client
        }
        for (site, client) in zip(sites, clients) {
            #expect(client.status == 200 && client.text.hasSuffix("\(site.port)\n"))
            site.close()
        }
    }

    @Test("The set that was mounted last answers") func lastSet() {
        var router = HTTPRouter()
        for methods in [[HTTPMethod.get], [.post]] { router.add(under: "/a/", methods) { _, _ in } }
        #expect(router.route("/a/b")?.methods == [.post])
    }
}
