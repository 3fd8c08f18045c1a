// SPDX-License-Identifier: MIT

import EventLoop
import Glibc
import TestSupport
import TestTools
import Testing

@testable import HTTPServer

@Suite struct UnixSocketTests {
    private let folder: TemporaryFolder
    private let address: SocketAddress
    private var path: String { folder.file("socket") }

    init() throws {
        folder = try TemporaryFolder("unix")
        address = try #require(SocketAddress("unix:\(folder.file("socket"))"))
    }

    /// A site that also listens on the Unix socket.
    private func site(_ limits: HTTPLimits = HTTPLimits()) throws -> Site {
        let site = try Site(limits: limits)
        #expect(try site.service.listen(address) == address)
        return site
    }

    private func talk(_ site: Site) -> Conversation { Conversation(LoopbackClient(unixPath: path), site.reactor) }

    private func mode() -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode : nil
    }

    @Test("H21: A socket whose path is not UTF-8 is made at the path with these bytes") func rawPath() throws {
        let raw = folder.file("s\u{10FEFC}")
        let site = try Site(limits: HTTPLimits())
        _ = try site.service.listen(try #require(SocketAddress("unix:\(raw)")))
        let path = Array(folder.file("s").utf8) + [0xFC, 0]
        #expect(access(path.map { CChar(bitPattern: $0) }, F_OK) == 0)
    }

    @Test(
        "Unix socket addresses are read and written",
        arguments: ["unix:/a", "unix:/run/aircheck/a b.sock", "unix:/" + String(repeating: "a", count: 106)])
    func addressText(_ text: String) throws {
        let address = try #require(SocketAddress(text))
        #expect(address.description == text && address.port == 0 && address.isLoopback && !address.isWildcard)
        #expect(address.reachable == [address] && address.url("/live") == "http://\(text):/live")
    }

    @Test(
        "A text that is no path of a Unix socket is refused",
        arguments: [
            "unix:", "unix:a", "unix:a/b", "unix:/", "unix:/a/", "unix:/\0", "unix:/a\nb", "Unix:/a",
            "unix:/" + String(repeating: "a", count: 107), "unix:/" + String(repeating: "ä", count: 54),
        ])
    func invalidPath(_ text: String) {
        #expect(SocketAddress(text) == nil)
    }

    @Test("At the owner's socket, only its user may connect, and needs neither a password nor a permitted network")
    func ownersSocket() throws {
        let site = try Site()
        try site.service.listenForOwner(address)
        #expect(mode().map { $0 & 0o777 } == 0o600)
        for path in ["/secret", "/elsewhere"] { #expect(talk(site).get(path)?.status == 200) }
        #expect(site.service.addresses.contains(address) == false)
        site.service.close()
        #expect(mode() == nil)
    }

    @Test("A Unix socket serves pages, files and streams") func serving() throws {
        let site = try site()
        try folder.write("file", [UInt8](repeating: 7, count: 300_000))
        site.serveFiles(of: folder)
        let talk = talk(site)
        #expect(talk.get("/hello")?.body == Array("hello\n".utf8))
        #expect(talk.get("/files/file")?.body.count == 300_000)
        #expect(talk.get("/client")?.body == Array("unix\n".utf8))
        let last = talk.ask("GET /hello HTTP/1.0\r\n\r\nand what nobody asked for")
        #expect(last?.fields["connection"] == "close" && talk.isClosedByServer)
        let listener = self.talk(site)
        listener.client.send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
        site.reactor.pump { site.service.streamCount == 1 }
        // Data that a listener sends is dropped on Unix sockets, too.
        listener.client.send("more")
        #expect(site.streams.first?.discard(upTo: 3) == .read(3))
        #expect(site.streams.first?.discard() == .read(1) && site.streams.first?.discard() == .nothing)
    }

    @Test("A Unix socket is for owner and group, and is removed with its server") func ownerAndGroup() throws {
        let site = try site()
        #expect(mode() == S_IFSOCK | 0o660)
        site.close()
        #expect(mode() == nil)
    }

    @Test("F23: A socket left by a dead program is replaced, and a socket in use is not")
    func stale() throws {
        let dead = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        #expect(address.withSocketAddress { bind(dead, $0, $1) } == 0)
        close(dead)
        let site = try site()
        #expect(mode() == S_IFSOCK | 0o660)
        let other = HTTPService(reactor: site.reactor)
        let error = #expect(throws: ListenError.self) { try other.listen(address) }
        #expect(error?.number == EADDRINUSE && error?.description.contains("another program listens there") == true)
        #expect(talk(site).get("/hello")?.status == 200)
        other.close()
        #expect(mode() != nil)
        site.close()
    }

    @Test("F23: A file that is no socket stays unchanged, and so does a link to a socket")
    func others() throws {
        try folder.write("socket", "a letter")
        let site = try Site()
        #expect(throws: ListenError(address, errno: EADDRINUSE)) { try site.service.listen(address) }
        #expect(try folder.read("socket") == Array("a letter".utf8))
        unlink(path)
        let elsewhere = try #require(SocketAddress("unix:\(folder.file("dead"))"))
        let dead = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        #expect(elsewhere.withSocketAddress { bind(dead, $0, $1) } == 0)
        close(dead)
        #expect(symlink(folder.file("dead"), path) == 0)
        #expect(throws: ListenError(address, errno: EADDRINUSE)) { try site.service.listen(address) }
        #expect(try folder.contents() == ["dead", "socket"])
        let nowhere = try #require(SocketAddress("unix:\(folder.file("no/socket"))"))
        let error = #expect(throws: ListenError.self) { try site.service.listen(nowhere) }
        #expect(error?.number == ENOENT && error?.remedy.contains("no such folder") == true)
    }

    @Test("F23: A server removes only its own socket at the end")
    func replaced() throws {
        let first = try site()
        unlink(path)
        let second = try site()
        first.close()
        #expect(talk(second).get("/hello")?.status == 200)
        second.close()
        #expect(mode() == nil)
    }

    @Test("F23: A Unix socket that somebody has removed is made again within a minute, unless its name is taken")
    func removed() throws {
        let site = try site()
        var made: [SocketAddress] = []
        site.service.onNotice = { if case .socketMadeAgain(let address) = $0 { made.append(address) } }
        let before = site.service.addresses
        site.reactor.advance(by: .seconds(61))
        #expect(made.isEmpty)
        unlink(path)
        site.reactor.advance(by: .seconds(61))
        #expect(made == [address] && mode() == S_IFSOCK | 0o660 && site.service.addresses == before)
        #expect(talk(site).get("/hello")?.status == 200)
        unlink(path)
        try folder.write("socket", "a letter")
        site.reactor.advance(by: .seconds(61))
        #expect(made == [address] && site.service.addresses == before)
        unlink(path)
        site.reactor.advance(by: .seconds(61))
        #expect(made == [address, address] && talk(site).get("/hello")?.status == 200)
        site.close()
        #expect(mode() == nil)
    }

    @Test("F24: A client on a Unix socket is no proxy, has no limits, and access lists treat it as loopback")
    func rules() throws {
        var limits = HTTPLimits()
        limits.streamsPerAddress = 1
        limits.connectRate = RateLimit(burst: 1, interval: .seconds(1000))
        limits.trustedProxies = IPNetwork.loopback + ["0.0.0.0/0", "::/0"].compactMap { IPNetwork($0) }
        let site = try site(limits)
        #expect(!site.service.isTrustedProxy(.unix(path: "")))
        let talks = (0..<5).map { _ in talk(site) }
        for talk in talks {
            #expect(talk.get("/client", "X-Forwarded-For: 203.0.113.1\r\n")?.body == Array("unix\n".utf8))
            #expect(talk.get("/elsewhere")?.status == 403)
        }
        var base = ""
        for (network, status) in [("192.168.0.0/16", 403), ("127.0.0.1", 200), ("::/0", 403)] {
            var rules = HTTPRouteRules()
            rules.networks.allowed = [try #require(IPNetwork(network))]
            site.service.router.add("/listed", [.get], rules: rules) { exchange in
                base = exchange.baseURL
                exchange.respond(HTTPResponse(.ok))
            }
            #expect(talks[0].get("/listed")?.status == status)
        }
        #expect(base == "http://x")
        #expect(talks[1].ask("GET /listed HTTP/1.0\r\n\r\n")?.status == 403)
        site.close()
    }

    @Test("A full server says so on a Unix socket") func full() throws {
        var limits = HTTPLimits()
        limits.connections = 1
        let site = try site(limits)
        let held = talk(site)
        site.reactor.pump { site.service.connectionCount == 1 }
        let refused = talk(site)
        refused.client.send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(refused.answer()?.status == 503 && refused.isClosedByServer)
        held.client.close()
        site.close()
    }
}
