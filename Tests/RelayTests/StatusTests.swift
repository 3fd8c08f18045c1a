// SPDX-License-Identifier: MIT

import HTTPServer
import Instants
import RadioCore
import RadioFormats
import Relay
import Stations
import TestSupport
import TestTools
import Testing

/// What status pages say.
struct StatusTests {
    private let site: Site

    init() throws { site = try Site() }

    @Test("Our status page counts the listeners, and lists them only for the owner")
    func own() throws {
        let rig = site.rig
        let clients = [rig.listen(), rig.listen(receiveBuffer: 4096)]
        rig.run(60) { clients[0].collect() }
        let status = try site.json("/status.json", isOwner: true)
        #expect(status["server"] == .string("Aircheck test"))
        let mount = try #require(status["mounts"]?.arrayValue?.first)
        #expect(mount["path"] == .string("/live") && mount["title"] == .string("A – B"))
        #expect(mount["listeners"] == .integer(2) && mount["listener_peak"] == .integer(2))
        #expect(mount["content_type"] == .string("audio/mpeg") && mount["sample_rate"] == .integer(44100))
        let listeners = try #require(mount["listener_list"]?.arrayValue)
        #expect(listeners.allSatisfy { $0["user_agent"] == .string("test") && $0["address"] == .string("127.0.0.1") })
        #expect(listeners.compactMap { $0["seconds"]?.integerValue } == [60, 60])
        #expect(Set(listeners.compactMap { $0["skips"]?.integerValue }) == [0, mount["skips"]?.integerValue ?? 0])
        #expect(listeners.contains { ($0["lag"]?.doubleValue ?? 0) > 3 })
        #expect((mount["bytes"]?.integerValue ?? 0) > 900_000)
    }

    @Test(
        "The list of listeners is hidden from requests of proxies and of pages of other sites",
        arguments: [
            "X-Forwarded-For: 203.0.113.7", "X-Forwarded-For: junk", "Forwarded: for=203.0.113.7",
            "X-Real-IP: 203.0.113.7", "X-Forwarded-Proto: https", "Via: 1.1 proxy",
        ])
    func strangers(field: String) throws {
        _ = site.rig.listen()
        let status = try site.json("/status.json", fields: "\(field)\r\n", isOwner: true)
        let seen = try #require(status["mounts"]?.arrayValue?.first)
        #expect(seen["listeners"] == .integer(1) && seen["listener_list"] == nil)
        let answer = site.rig.ask("GET /status.json HTTP/1.0\r\nHost: 127.0.0.1\r\n\(field)\r\n\r\n")
        #expect(!answer.text.contains("Access-Control-Allow-Origin"))
    }

    @Test(
        "The list of listeners is hidden from a trusted proxy's address, whatever the proxy forwards",
        arguments: [[], IPNetwork.loopback])
    func silentProxies(proxies: [IPNetwork]) throws {
        let site = try Site(proxies: proxies)
        _ = site.rig.listen()
        for fields in ["", "X-Forwarded-For: 127.0.0.1\r\n", "X-Forwarded-For: 203.0.113.7\r\n"] {
            let seen = try #require(try site.json("/status.json", fields: fields)["mounts"]?.arrayValue?.first)
            #expect(seen["listeners"] == .integer(1) && seen["listener_list"] == nil, "\(fields)")
        }
    }

    @Test("If there are users, only they see the list of listeners")
    func users() throws {
        let hash = try #require(PasswordHash("$2b$04$KBCwKxOzLha2MUDgW0PjXewA1o2Hfp5H/s/yB9RgCg0ktMiYb//oy"))
        let site = try Site(users: UserList(["anna": hash]))
        _ = site.rig.listen()
        let seen = try #require(try site.json("/status.json")["mounts"]?.arrayValue?.first)
        #expect(seen["listeners"] == .integer(1) && seen["listener_list"] == nil)
        #expect(try site.json("/status-json.xsl")["icestats"] != nil)
    }

    @Test("F30: If there are users, titles are told to them, and to nobody else")
    func titles() throws {
        let hash = try #require(PasswordHash("$2b$04$KBCwKxOzLha2MUDgW0PjXewA1o2Hfp5H/s/yB9RgCg0ktMiYb//oy"))
        let site = try Site(users: UserList(["anna": hash]))
        let known = "Authorization: Basic \("anna:sésame".utf8.base64)\r\n"
        func own(_ fields: String = "", isOwner: Bool = false) throws -> JSONValue? {
            try site.json("/status.json", fields: fields, isOwner: isOwner)["mounts"]?.arrayValue?.first?["title"]
        }
        func icecast(_ fields: String = "", isOwner: Bool = false) throws -> JSONValue? {
            try site.json("/status-json.xsl", fields: fields, isOwner: isOwner)["icestats"]?["source"]?["title"]
        }
        #expect(try own() == .null && icecast() == nil)
        #expect(try own(known) == .string("A – B") && icecast(known) == .string("A – B"))
        #expect(try own(isOwner: true) == .string("A – B") && icecast(isOwner: true) == .string("A – B"))
    }

    @Test("F31: The status page says what players are sent, since when, and its title")
    func states() throws {
        let rig = site.rig
        func now() throws -> [JSONValue?] {
            let mount = try #require(try site.json("/status.json")["mounts"]?.arrayValue?.first)
            return [mount["state"], mount["since"], mount["title"]]
        }
        func time(_ instant: WallInstant) -> JSONValue { .string(CivilTime(instant, utcOffset: 0).rfc3339) }
        // The rig has run for five seconds, and its first audio came at once.
        let began = time(rig.reactor.wallNow - .seconds(5))
        #expect(try now() == [.string("live"), began, .string("A – B")])
        let last = time(rig.reactor.wallNow - .milliseconds(125))
        rig.wait(30)
        #expect(try now() == [.string("silence"), last, .null])
        rig.wait(600)
        #expect(try now() == [.string("off"), last, .null])
        let back = time(rig.reactor.wallNow)
        rig.run(20)
        #expect(try now() == [.string("live"), back, .string("A – B")])
        rig.hub.end(nil)
        #expect(try now()[0] == .string("off"))
        let detuned = time(rig.reactor.wallNow)
        rig.mount.detune()
        rig.wait(5)
        #expect(try now() == [.string("off"), detuned, .null])
    }

    @Test("F31: A page that is loaded again counts as one listener, at once and in the peak")
    func loadedAgain() throws {
        let rig = site.rig
        for _ in 0..<5 {
            let client = rig.listen()
            rig.run(2) { client.collect() }
            client.close()
            rig.reactor.pump { rig.mount.snapshot.listeners == 0 }
        }
        #expect(rig.mount.snapshot.peak == 1 && rig.mount.snapshot.joins == 5)
    }

    @Test("F32: The name of a station that has none is not its address")
    func unnamed() throws {
        var info = StationInfo(kind: .live, name: "intranet.example/studio", url: "http://intranet.example/studio")
        info.isNamedByURL = true
        site.rig.hub.announce(info)
        for path in ["/live", "/live.m3u", "/live.pls", "/live.xspf", "/status.json", "/status-json.xsl"] {
            let method = path == "/live" ? "HEAD" : "GET"
            let answer = site.rig.ask("\(method) \(path) HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
            #expect(answer.text.contains("Radio") && !answer.text.contains("intranet"), "\(answer.text)")
        }
    }

    @Test("Behind a trusted proxy, addresses are those for which the proxy was asked")
    func proxied() throws {
        let site = try Site(proxies: IPNetwork.loopback)
        let fields = "X-Forwarded-For: 203.0.113.7\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Host: tls.example\r\n"
        let source = try site.json("/status-json.xsl", fields: fields)["icestats"]?["source"]
        #expect(source?["listenurl"] == .string("https://tls.example/live"))
        let playlist = site.rig.ask("GET /live.m3u HTTP/1.0\r\nHost: 127.0.0.1:8000\r\n\(fields)\r\n")
        #expect(playlist.text.contains("\r\nhttps://tls.example/live\r\n"))
        // Fields sent by the client come before those that the proxy adds.
        for (more, url) in [
            ("X-Forwarded-Host: evil.example, tls.example\r\n", "http://tls.example"),
            ("X-Forwarded-Host: evil.example\r\nX-Forwarded-Host: tls.example\r\n", "http://tls.example"),
            (
                "X-Forwarded-Host: tls.example\r\nX-Forwarded-Port: 8443\r\nX-Forwarded-Proto: https\r\n",
                "https://tls.example:8443"
            ),
            (
                "X-Forwarded-Host: tls.example\r\nX-Forwarded-Port: 1, 443\r\nX-Forwarded-Proto: https\r\n",
                "https://tls.example"
            ),
            ("X-Forwarded-Host: tls.example:81\r\nX-Forwarded-Port: 8443\r\n", "http://tls.example:81"),
            ("X-Forwarded-Host: [2001:db8::5]\r\nX-Forwarded-Port: 81\r\n", "http://[2001:db8::5]:81"),
            ("X-Forwarded-Host: tls.example\r\nX-Forwarded-Port: 99999\r\n", "http://tls.example"),
            ("X-Forwarded-Port: 8443\r\n", "http://127.0.0.1:8000"),
            // The path under which the proxy serves us.
            ("X-Forwarded-Host: tls.example\r\nX-Forwarded-Prefix: /radio\r\n", "http://tls.example/radio"),
            ("X-Forwarded-Prefix: /evil, /a/b-c_d.~/\r\n", "http://127.0.0.1:8000/a/b-c_d.~"),
            ("X-Forwarded-Prefix: /evil\r\nX-Forwarded-Prefix: /radio\r\n", "http://127.0.0.1:8000/radio"),
            ("X-Forwarded-Prefix: /\r\n", "http://127.0.0.1:8000"),
            ("X-Forwarded-Prefix: radio\r\n", "http://127.0.0.1:8000"),
            ("X-Forwarded-Prefix: //evil.example\r\n", "http://127.0.0.1:8000"),
            ("X-Forwarded-Prefix: /a/../b\r\n", "http://127.0.0.1:8000"),
            ("X-Forwarded-Prefix: /a\"onload=x\r\n", "http://127.0.0.1:8000"),
        ] {
            let answer = site.rig.ask("GET /live.m3u HTTP/1.0\r\nHost: 127.0.0.1:8000\r\n\(more)\r\n")
            #expect(answer.text.contains("\r\n\(url)/live\r\n"), "\(more)")
        }
        // The same applies to a listener on the proxy's machine, whose address is the proxy's.
        let near = fields.replacing("203.0.113.7", with: "127.0.0.1")
        let besides = site.rig.ask("GET /live.m3u HTTP/1.0\r\nHost: 127.0.0.1:8000\r\n\(near)\r\n")
        #expect(besides.text.contains("\r\nhttps://tls.example/live\r\n"))
        // Anybody else may say nothing about our address.
        let stranger = try Site()
        let untrusted = stranger.rig.ask(
            "GET /live.m3u HTTP/1.0\r\nHost: 127.0.0.1:8000\r\nX-Forwarded-Prefix: /evil\r\n\r\n")
        #expect(untrusted.text.contains("\r\nhttp://127.0.0.1:8000/live\r\n"))
        let prefixed = try site.json("/status-json.xsl", fields: fields + "X-Forwarded-Prefix: /radio\r\n")["icestats"]
        #expect(prefixed?["source"]?["listenurl"] == .string("https://tls.example/radio/live"))
        #expect(prefixed?["host"] == .string("tls.example"))
        let hostile = site.rig.ask(
            "GET /live.m3u HTTP/1.0\r\nHost: 127.0.0.1:8000\r\nX-Forwarded-For: 203.0.113.7\r\n"
                + "X-Forwarded-Host: a/b?c\r\n\r\n")
        #expect(hostile.text.contains("\r\nhttp://127.0.0.1:8000/live\r\n"))
        for host in ["", "Host:\r\n"] {
            let plain = site.rig.ask("GET /live.m3u HTTP/1.0\r\n\(host)\r\n")
            #expect(plain.text.contains("\r\nhttp://127.0.0.1:\(site.rig.port)/live\r\n"), "\(host)")
        }
        let six = site.rig.ask("GET /status-json.xsl HTTP/1.0\r\nHost: [::1]:8000\r\n\r\n")
        #expect(six.text.contains("\"host\":\"[::1]\""))
    }

    @Test("Totals include listeners that have left")
    func past() throws {
        let client = site.rig.listen()
        site.rig.run(5) { client.collect() }
        let before = site.rig.mount.snapshot
        client.reset()
        // A reset takes real time to pass through the kernel, and virtual time does not include that.
        site.rig.reactor.pump { site.rig.mount.listenerCount == 0 }
        let after = site.rig.mount.snapshot
        #expect(after.listeners == 0 && after.peak == 1 && after.joins == 1)
        #expect(after.bytes >= before.bytes)
    }

    @Test("Icecast's status page answers under any host name, and ours only under a name of this server")
    func names() throws {
        site.rig.service.hosts = HostCheck(names: ["radio.example"])
        for (path, name, status) in [
            ("/status-json.xsl", "other.example", 200), ("/status.json", "other.example", 421),
            ("/status.json", "radio.example", 200), ("/status.json", "127.0.0.1", 200),
        ] {
            let answer = site.rig.ask("GET \(path) HTTP/1.0\r\nHost: \(name)\r\n\r\n")
            #expect(answer.text.hasPrefix("HTTP/1.0 \(status) "), "\(path) \(name)")
        }
    }

    @Test("In Icecast's format one mount is an object, several are a list, and no mount is no member")
    func shapes() throws {
        let one = try #require(try site.json("/status-json.xsl")["icestats"])
        #expect(one["source"]?["listenurl"] == .string("http://radio.example:8000/live"))
        #expect(one["source"]?["title"] == .string("A – B") && one["source"]?["genre"] == .string("Jazz"))
        #expect(one["source"]?["bitrate"] == .integer(128) && one["host"] == .string("radio.example"))
        let other = Mount("/other", on: site.rig.service, reactor: site.rig.reactor)
        other.tune(to: site.rig.hub)
        site.mounts = [site.rig.mount, other]
        // The second mount has its audio from the next chunk on.
        site.rig.run(1)
        let list = try site.json("/status-json.xsl")["icestats"]?["source"]?.arrayValue
        #expect(list?.compactMap { $0["listenurl"]?.stringValue }.count == 2)
        site.mounts = []
        #expect(try site.json("/status-json.xsl")["icestats"]?["source"] == nil)
        other.close()
    }

    @Test("Every member of a real Icecast's status is present, with the same type")
    func peer() async throws {
        let programme = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 20))
        let server = try await onThread { try IcecastServer() }
        let feeder = try await Feeder.start(programme, to: server, mount: "/live")
        let answer = try await onThread {
            try server.setTitle("A – B", of: "/live")
            return try Loopback.exchange(
                port: server.port, Array("GET /status-json.xsl HTTP/1.0\r\n\r\n".utf8), within: .seconds(10))
        }
        #expect(
            String(decoding: answer.prefix(15), as: UTF8.self).hasPrefix("HTTP/1.0 200"),
            "\(String(decoding: answer, as: UTF8.self))")
        let theirs = try JSONValue(parsing: Array(try #require(body(answer))), limit: 1 << 20)
        let ours = try site.json("/status-json.xsl")
        expectMembers(theirs, ours, "", leavingOut: ["audio_info"])
        withExtendedLifetime(feeder) {}
    }

    private func expectMembers(_ theirs: JSONValue, _ ours: JSONValue?, _ path: String, leavingOut: Set<String>) {
        switch (theirs, ours) {
        case (.object(let object), .object?):
            for member in object.members where !leavingOut.contains(member.name) {
                expectMembers(member.value, ours?[member.name], "\(path).\(member.name)", leavingOut: leavingOut)
            }
        case (.string, .string?), (.integer, .integer?), (.null, .null?), (.array, .array?), (.bool, .bool?): break
        default: Issue.record("\(path) is \(String(describing: ours)), and Icecast's \(theirs)")
        }
    }

    private func body(_ answer: [UInt8]) -> ArraySlice<UInt8>? {
        let mark = Array("\r\n\r\n".utf8)
        return (0..<max(0, answer.count - 3)).first { answer[$0...].starts(with: mark) }.map { answer[($0 + 4)...] }
    }
}

private final class Site {
    let rig: RelayRig
    var mounts: [Mount]
    private let folder: TemporaryFolder

    init(proxies: [IPNetwork] = [], users: UserList? = nil) throws {
        var limits = HTTPLimits()
        limits.trustedProxies = proxies
        var rules = HTTPRouteRules()
        rules.users = users
        let rig = try RelayRig(limits: limits)
        self.rig = rig
        folder = try TemporaryFolder("status")
        try rig.service.listen(try #require(SocketAddress("unix:\(folder.file("socket"))")))
        mounts = [rig.mount]
        let pages = StatusPages(
            server: "Aircheck test", started: WallInstant(nanoseconds: 1_700_000_000_000_000_000),
            hasUsers: users != nil
        ) { [unowned self] in mounts }
        rig.service.router.mount(pages.routes, rules: rules)
        rig.hub.setTitle("A – B")
        rig.run(5)
    }

    /// `isOwner` says whether the request comes through a Unix socket, from this very process.
    func json(_ path: String, fields: String = "", isOwner: Bool = false) throws -> JSONValue {
        let client = isOwner ? LoopbackClient(unixPath: folder.file("socket")) : LoopbackClient(port: rig.port)
        rig.reactor.ask("GET \(path) HTTP/1.1\r\nHost: radio.example:8000\r\n\(fields)\r\n", through: client)
        #expect(client.text.hasPrefix("HTTP/1.1 200 ") && client.text.contains("\r\nContent-Type: application/json"))
        #expect(client.text.contains("\r\nAccess-Control-Allow-Origin: *\r\n") == path.hasSuffix("xsl"))
        return try JSONValue(parsing: client.body, limit: 1 << 20)
    }
}
