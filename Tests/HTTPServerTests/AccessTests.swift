// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

@testable import HTTPServer

/// Access control: passwords, host names, and requests from pages of other sites.
@Suite struct AccessTests {
    private let site: Site

    init() throws { site = try Site() }

    /// The `Authorization` field with a password of anna, or of somebody else.
    private func basic(_ password: String, of name: String = "anna") -> String {
        "Authorization: Basic \("\(name):\(password)".utf8.base64)\r\n"
    }

    @Test("F9: The right password is accepted, and no other")
    func passwords() throws {
        let wanted = "Basic realm=\"A radio\", charset=\"UTF-8\""
        for fields in [
            "", "Authorization: \r\n", "Authorization: Basic\r\n", "Authorization: Basic \(junk(10_000))\r\n",
            basic(""), basic("sesame"), basic(Site.password, of: "bert"), basic(Site.password, of: ""),
            basic(Site.password) + basic(Site.password), basic(junk(300)),
        ] {
            let client = site.get("/secret", fields)
            #expect(client.status == 401, "\(fields.prefix(40))")
            #expect(client.field("WWW-Authenticate") == wanted)
            #expect(client.field("Access-Control-Allow-Origin") == "*")
        }
        // The failures so far are fewer than a client may have, so the right password is still accepted.
        let client = site.get("/secret", basic(Site.password))
        #expect(client.status == 200)
        #expect(String(decoding: client.body, as: UTF8.self) == "secret\n")
    }

    @Test("F9: Ten of a hundred wrong passwords are checked, and then one every five seconds")
    func guesses() throws {
        #expect(site.get("/secret", basic(Site.password)).status == 200)
        let statuses = (0..<100).map { site.get("/secret", basic("guess \($0)")).status }
        #expect(statuses == Array(repeating: 401, count: 10) + Array(repeating: 429, count: 90))
        #expect(site.get("/secret", basic("guess")).field("Retry-After") == "5")
        // After so many wrong passwords even the right one would be refused, but this one was accepted before.
        #expect(site.get("/secret", basic(Site.password)).status == 200)
        site.reactor.advance(by: .seconds(5))
        #expect([0, 1].map { _ in site.get("/secret", basic("late guess")).status } == [401, 429])
    }

    @Test("F9: A password sent by many clients at once is checked once, and all are let in")
    func manyAtOnce() throws {
        let clients = (0..<10).map { _ in site.reactor.connect(port: site.port) }
        for client in clients { client.send("GET /secret HTTP/1.0\r\n\(basic(Site.password))\r\n") }
        site.reactor.pump { clients.allSatisfy { $0.collect().end != nil } }
        #expect(clients.allSatisfy { $0.status == 200 })
    }

    @Test("A route that is removed during password checks gets no more requests", arguments: [false, true])
    func lateVerdicts(_ isReplaced: Bool) throws {
        var rules = HTTPRouteRules()
        rules.users = UserList(["anna": try #require(PasswordHash(Site.hash))])
        var otherRules = HTTPRouteRules()
        otherRules.users = UserList(["bert": try #require(PasswordHash(Site.hash))])
        var calls = 0
        // All requests wait for one hash, and the first one to be answered removes the route for the others.
        let routes = RouteSet()
        routes.add("/mount", [.get]) { [unowned site, unowned routes, otherRules] exchange in
            calls += 1
            site.service.router.unmount(routes)
            if isReplaced { site.service.router.add("/mount", [.get], rules: otherRules) { _ in calls += 1 } }
            exchange.respond(HTTPResponse(.ok))
        }
        site.service.router.mount(routes, rules: rules)
        let clients = (0..<5).map { _ in site.reactor.connect(port: site.port) }
        for client in clients { client.send("GET /mount HTTP/1.0\r\n\(basic(Site.password))\r\n") }
        site.reactor.pump { clients.allSatisfy { $0.collect().end != nil } }
        #expect(calls == 1)
        #expect(clients.filter { $0.status == 200 }.count == 1)
    }

    @Test("F9: A client that leaves while its password is checked does no harm")
    func leaving() throws {
        for round in 0..<8 {
            let client = site.reactor.connect(port: site.port)
            client.send("GET /secret HTTP/1.0\r\n\(basic("guess \(round)"))\r\n")
            site.reactor.drain()
            client.reset()
        }
        #expect(site.get("/secret", basic(Site.password)).status == 200)
        site.reactor.pump { site.service.connectionCount == 0 }
        #expect(site.service.connectionCount == 0)
    }

    @Test("F9: An unknown name is checked like a wrong password, with the same hash", arguments: ["anna", "bert"])
    func nobodyIsToldInTime(_ name: String) throws {
        let reactor = PolledReactor()
        let authenticator = Authenticator(reactor: reactor, patience: .seconds(20))
        let hash = try #require(PasswordHash(Site.hash))
        let users = try #require(UserList(["anna": hash]))
        let field = HTTPField("authorization", "Basic \("\(name):guess".utf8.base64)")
        let head = HTTPRequestHead(method: .get, target: HTTPTarget(path: "/"), fields: [field])
        for _ in 0..<3 {
            var isWrong: Bool?
            authenticator.check(head, from: ServedClient(.v4(1)), users) { verdict in
                if case .wrong = verdict { isWrong = true } else { isWrong = false }
            }
            #expect(isWrong == nil)
            reactor.pump { isWrong != nil }
            #expect(isWrong == true)
        }
        authenticator.close()
    }

    @Test("The queue of passwords is as long as can be checked before requests time out")
    func crowds() throws {
        let users = try #require(UserList(["anna": PasswordHash(Site.hash)].compactMapValues { $0 }))
        let busy = [Duration.seconds(1), .seconds(20)].map { patience in
            let authenticator = Authenticator(reactor: PolledReactor(), patience: patience)
            defer { authenticator.close() }
            var busy = 0
            for client in 0..<30 {
                let field = HTTPField("authorization", "Basic \("anna:guess \(client)".utf8.base64)")
                let head = HTTPRequestHead(method: .get, target: HTTPTarget(path: "/"), fields: [field])
                let from = ServedClient(.v4(UInt32(client)))
                authenticator.check(head, from: from, users) { if case .busy = $0 { busy += 1 } }
            }
            return busy
        }
        #expect(busy[0] > 0 && busy[1] == 0, "\(busy)")
    }

    @Test("One who guesses passwords through a proxy that names nobody locks out nobody but the name that is guessed")
    func sharedAddress() throws {
        let hash = try #require(PasswordHash(Site.hash))
        var rules = HTTPRouteRules.stream
        rules.users = UserList(["anna": hash, "bert": hash])
        site.service.router.add("/both", [.get], rules: rules) { $0.respond(HTTPResponse(.ok)) }
        let tries = (0..<12).map { site.get("/both", basic("guess \($0)", of: "bert")).status }
        #expect(tries.prefix(10).allSatisfy { $0 == 401 } && tries.suffix(2) == [429, 429])
        #expect(site.get("/both", basic(Site.password)).status == 200)
    }

    @Test(
        "F8: A page needs a Host name of this server, and a stream does not",
        arguments: [
            ("127.0.0.1", 200), ("127.0.0.1:8000", 200), ("[::1]:8000", 200), ("localhost", 200), ("LOCALHOST:80", 200),
            ("localhost.", 200), ("radio.example", 200), ("Radio.Example:8000", 200), ("192.0.2.7:1", 200),
            ("evil.example", 421), ("radio.example.evil.example", 421), ("localhost.evil.example", 421), ("", 421),
            ("127.0.0.1.evil.example", 421), ("[::1", 421), ("radio.example:", 200), ("radio.example:x", 421),
            ("2130706433", 421), ("0x7f.1", 421), ("::1", 421),
            // Names that only the user's own network gives.
            ("nas.fritz.box", 200), ("Pi.LAN:8000", 200), ("pi", 200), ("radio.home.arpa:80", 200), ("pi.local", 200),
            ("a.b.internal", 200), ("evilfritz.box", 421), ("fritz.box.evil.example", 421), ("pi.lan.example", 421),
            ("lan.", 200), ("box", 200), ("evil.box", 421),
        ])
    func rebinding(_ host: String, _ status: Int) throws {
        #expect(site.get("/hello", host: "evil.example").status == 200)
        site.service.hosts = HostCheck(names: ["Radio.example"])
        #expect(site.get("/hello", host: host).status == status)
        #expect(site.get("/nothing", host: host).status == (status == 200 ? 404 : status))
        #expect(site.get("/stream", method: "HEAD", host: host).status == 200)
        #expect(site.ask("GET /hello HTTP/1.0\r\n\r\n").status == 200)
    }

    @Test("F29: An unknown name is refused with the remedy, and reported once")
    func unknownNames() throws {
        site.service.hosts = HostCheck(remedy: "with --host-name")
        var names: [String] = []
        site.service.onNotice = { if case .unknownHost(let name) = $0 { names.append(name) } }
        for host in ["radio.example:8000", "Radio.Example"] {
            let answer = site.get("/hello", host: host)
            #expect(
                answer.status == 421
                    && answer.text.contains("called radio.example: use its address, or add that name with --host-name"),
                "\(answer.text)")
        }
        #expect(names == ["radio.example"])
        // Anybody can invent names.
        for number in 0..<100 { _ = site.get("/hello", host: "\(number).example") }
        #expect(names.count == 16)
    }

    @Test("F29: The machine's own names include its name in each domain that the resolver searches")
    func machineNames() {
        let resolver =
            "# domain no.example\nnameserver 192.0.2.1\nsearch Home.example\tcorp.example.\r\ndomain a.example\n"
        #expect(
            MachineNames.names(host: "Pi", resolver: resolver)
                == ["pi", "pi.local", "pi.home.example", "pi.corp.example", "pi.a.example"])
        #expect(
            MachineNames.names(host: "nas.example.org", resolver: "search\n") == [
                "nas", "nas.example.org", "nas.local",
            ])
        #expect(MachineNames.names(host: "", resolver: resolver).isEmpty)
    }

    @Test("A route may serve strangers, and knows users by their password; a wrong one is refused")
    func strangers() throws {
        var rules = HTTPRouteRules()
        rules.users = UserList(["anna": try #require(PasswordHash(Site.hash))])
        rules.admitsStrangers = true
        site.service.router.add("/open", [.get], rules: rules) { $0.respond(HTTPResponse(.ok, text: $0.user ?? "-")) }
        #expect(site.get("/open").text.hasSuffix("\r\n-\n"))
        #expect(site.get("/open", basic(Site.password)).text.hasSuffix("\r\nanna\n"))
        #expect(site.get("/open", basic("wrong")).status == 401)
    }

    @Test(
        "F8: A changing request from a page of another site is refused",
        arguments: [
            ("", 200), ("Sec-Fetch-Site: same-origin\r\n", 200), ("Sec-Fetch-Site: none\r\n", 200),
            ("Sec-Fetch-Site: cross-site\r\n", 403), ("Sec-Fetch-Site: same-site\r\n", 403),
            ("Sec-Fetch-Site: \r\n", 403),
            ("Origin: http://127.0.0.1:8000\r\n", 200), ("Origin: https://127.0.0.1:8000\r\n", 200),
            ("Origin: http://127.0.0.1\r\n", 403), ("Origin: http://evil.example\r\n", 403), ("Origin: null\r\n", 403),
            ("Origin: http://127.0.0.1:8000.evil.example\r\n", 403),
            ("Origin: http://127.0.0.1:8000\r\nSec-Fetch-Site: cross-site\r\n", 403),
        ])
    func crossSite(_ fields: String, _ status: Int) throws {
        for method in ["POST", "DELETE"] {
            #expect(site.get("/change", fields, method: method, host: "127.0.0.1:8000").status == status)
        }
        #expect(site.changes == (status == 200 ? 2 : 0))
        // Reading requests are allowed.
        #expect(site.get("/hello", fields, host: "127.0.0.1:8000").status == 200)
    }

    @Test("A page of another site may play a stream") func pagesOfOthers() throws {
        let asked = "Origin: https://page.example\r\nAccess-Control-Request-Method: GET\r\n"
        let preflight = site.get(
            "/stream", asked + "Access-Control-Request-Headers: icy-metadata\r\n", method: "OPTIONS")
        #expect(preflight.status == 204 && preflight.field("Allow") == "GET, HEAD, OPTIONS")
        #expect(preflight.field("Access-Control-Allow-Origin") == "*")
        #expect(preflight.field("Access-Control-Allow-Methods") == "GET, HEAD")
        #expect(preflight.field("Access-Control-Allow-Headers")?.contains("Icy-MetaData") == true)
        #expect(preflight.field("Access-Control-Max-Age") == "86400")
        #expect(preflight.field("Access-Control-Allow-Private-Network") == nil)
        let local = site.get(
            "/stream", asked + "Access-Control-Request-Private-Network: true\r\n", method: "OPTIONS")
        #expect(local.field("Access-Control-Allow-Private-Network") == "true")
        let plain = site.get("/stream", method: "OPTIONS")
        #expect((plain.status, plain.field("Access-Control-Allow-Methods")) == (204, nil))
        let head = site.get("/stream", "Origin: https://page.example\r\n", method: "HEAD")
        #expect(head.field("Access-Control-Expose-Headers")?.contains("icy-metaint, icy-name") == true)
        // A browser sends its preflight without a password, and only streams are open to other sites.
        #expect(site.get("/secret", asked, method: "OPTIONS").status == 204)
        #expect(site.get("/hello", asked, method: "OPTIONS").field("Access-Control-Allow-Origin") == nil)
    }

    @Test("The client address in a request is taken from trusted proxies only") func trustedProxy() throws {
        let fields = "X-Forwarded-For: 203.0.113.9\r\n"
        #expect(String(decoding: site.get("/client", fields).body, as: UTF8.self) == "127.0.0.1\n")
        site.close()
        let behind = try Site { $0.trustedProxies = IPNetwork.loopback }
        #expect(String(decoding: behind.get("/client", fields).body, as: UTF8.self) == "203.0.113.9\n")
        #expect(behind.get("/elsewhere", fields).status == 200)
        #expect(behind.get("/elsewhere").status == 403)
        behind.close()
    }

    @Test(
        "A client that its proxy does not name is served where every address is, and nowhere else",
        arguments: ["X-Forwarded-For: junk\r\n", "X-Forwarded-For: 203.0.113.9\r\nForwarded: for=203.0.113.10\r\n"])
    func unnamedClients(_ fields: String) throws {
        let site = try Site { $0.trustedProxies = IPNetwork.loopback }
        #expect(site.get("/hello", fields).status == 200)
        let (documentation, all) = (try #require(IPNetwork("192.0.2.0/24")), IPNetwork.loopback)
        for policy in [NetworkPolicy(denied: [documentation]), NetworkPolicy(allowed: all)] {
            var rules = HTTPRouteRules()
            rules.networks = policy
            site.service.router.add("/listed", [.get], rules: rules) { $0.respond(HTTPResponse(.ok)) }
            #expect(site.get("/listed", fields).status == 403)
            #expect(site.get("/listed").status == 200, "the proxy itself")
        }
    }

    private func junk(_ count: Int) -> String { String(repeating: "A", count: count) }
}
