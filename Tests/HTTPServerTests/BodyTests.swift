// SPDX-License-Identifier: MIT

import EventLoop
import Glibc
import HTTPServer
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

/// Bodies of files and of parts of them, on real sockets.
@Suite struct BodyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private let content = {
        var random = SplitMix64(seed: 12)
        return random.bytes(900_000)
    }()

    /// Whether the bytes are the content, or this range of it. An expectation that compared them itself would print all
    /// of it.
    private func isContent(_ bytes: [UInt8], _ range: Range<Int>? = nil) -> Bool {
        bytes == Array(content[range ?? 0..<content.count])
    }

    /// The content as parts of three files.
    private func parts(in folder: TemporaryFolder) throws -> [HTTPFilePart] {
        try stride(from: 0, to: content.count, by: 300_000).map { start in
            // Each file also has bytes before and after the part, which must not be sent.
            let name = "part \(start)"
            try folder.write(name, Array(content[..<7] + content[start..<(start + 300_000)] + content[..<9]))
            return HTTPFilePart(try #require(HTTPFile(path: folder.file(name))), 7..<300_007)
        }
    }

    private func site(_ folder: TemporaryFolder) throws -> Site {
        let site = try Site()
        try folder.write("file", content)
        try folder.write("empty", [])
        site.serveFiles(of: folder)
        let parts = try parts(in: folder)
        let nothing = [HTTPFilePart(parts[0].file, 3..<3)]
        site.service.router.add("/parts", [.get, .head]) { $0.respond(with: HTTPRepresentation(nothing + parts)) }
        let bytes = content
        site.service.router.add("/bytes", [.get, .head]) { $0.respond(with: HTTPRepresentation(.bytes(bytes))) }
        return site
    }

    @Test(
        "Files, parts of files and bytes arrive exactly, whole or in ranges",
        arguments: ["/files/file", "/parts", "/bytes"])
    func toTheByte(_ path: String) throws {
        let site = try site(TemporaryFolder())
        let whole = site.get(path)
        #expect(whole.status == 200 && whole.field("Content-Length") == "\(content.count)" && isContent(whole.body))
        let ranges = [0..<1, 0..<content.count, 300_000..<600_000, 299_990..<300_010, 5..<899_995]
        for range in ranges {
            let part = site.get(path, "Range: bytes=\(range.lowerBound)-\(range.upperBound - 1)\r\n")
            #expect(part.status == 206 && isContent(part.body, range), "\(range)")
            #expect(part.field("Content-Range") == "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(content.count)")
        }
        let head = site.get(path, method: "HEAD")
        #expect(head.status == 200 && head.field("Content-Length") == "\(content.count)" && head.body.isEmpty)
        let missing = site.get(path, "Range: bytes=\(content.count)-\r\n")
        #expect(missing.status == 416 && missing.field("Content-Range") == "bytes */\(content.count)")
    }

    @Test("A file is recognised by its tag and its date") func validators() throws {
        let site = try site(folder)
        let first = site.get("/files/file")
        let tag = try #require(first.field("ETag"))
        #expect(site.get("/files/file", "If-None-Match: \(tag)\r\n").status == 304)
        #expect(site.get("/files/file", "If-None-Match: \(tag)\r\n").field("Content-Length") == nil)
        let date = try #require(first.field("Last-Modified"))
        #expect(site.get("/files/file", "If-Modified-Since: \(date)\r\n").status == 304)
        try folder.write("file", Array(content.dropLast()))
        #expect(site.get("/files/file", "If-None-Match: \(tag)\r\n").status == 200)
        #expect(site.get("/files/file", "If-Range: \(tag)\r\nRange: bytes=0-1\r\n").status == 200)
        #expect(site.get("/files/file", "If-Match: \(tag)\r\n").status == 412)
    }

    @Test("Parts of files have a tag of their own, which knows the parts") func partsTag() throws {
        let parts = try parts(in: folder)
        let tags = [parts, Array(parts.dropLast()), parts.reversed(), [HTTPFilePart(parts[0].file, 8..<300_007)]]
            .map { HTTPRepresentation($0).entityTag }
        #expect(Set(tags).count == tags.count && tags[0] == HTTPRepresentation(parts).entityTag)
        let site = try site(folder)
        let tag = try #require(site.get("/parts").field("ETag"))
        #expect(site.get("/parts", "If-None-Match: \(tag)\r\n").status == 304)
    }

    @Test("Only regular files are served") func noFile() throws {
        let site = try site(folder)
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        for path in ["/files/pipe", "/files/nothing", "/files/", "/files/%2e"] { #expect(site.get(path).status == 404) }
        let empty = site.get("/files/empty")
        #expect(empty.status == 200 && empty.field("Content-Length") == "0" && empty.body.isEmpty)
    }

    @Test("F22: A file that shrinks while it is sent ends the connection before its announced length")
    func shrinking() throws {
        let site = try site(folder)
        let client = site.reactor.connect(port: site.port, receiveBuffer: 8192)
        client.send("GET /files/file HTTP/1.1\r\nHost: x\r\n\r\n")
        site.reactor.drain()
        #expect(truncate(folder.file("file"), 5000) == 0)
        site.reactor.pump { client.collect().end != nil }
        #expect(client.status == 200 && client.body.count < content.count)
        #expect(isContent(Array(client.body.prefix(5000)), 0..<5000))
        #expect(site.service.connectionCount == 0)
    }

    @Test(
        "F22: A part whose file is gone or replaced when its turn comes ends the connection early",
        arguments: [false, true])
    func partGone(isReplaced: Bool) throws {
        let site = try site(folder)
        let parts = try parts(in: folder)
        site.service.router.add("/gone", [.get]) { $0.respond(with: HTTPRepresentation(parts)) }
        #expect(try #require(HTTPRepresentation(parts).entityTag).description.utf8.count == 34)
        let last = folder.file("part 600000")
        #expect(rename(last, folder.file("other")) == 0)
        if isReplaced { try folder.write("part 600000", content) }
        let client = site.reactor.connect(port: site.port)
        client.send("GET /gone HTTP/1.1\r\nHost: x\r\n\r\n")
        site.reactor.pump { client.collect().end != nil }
        #expect(client.status == 200 && client.body.count <= 600_000)
        #expect(isContent(client.body, 0..<client.body.count))
        #expect(site.service.connectionCount == 0)
    }

    @Test("F21: A reader of less than a kilobyte a second is closed, and a faster one gets the whole file")
    func slowReaders() throws {
        let site = try site(TemporaryFolder())
        for path in ["/files/file", "/parts"] {
            let clients = (0..<3).map { _ in site.reactor.connect(port: site.port, receiveBuffer: 8192) }
            for client in clients { client.send("GET \(path) HTTP/1.0\r\n\r\n") }
            site.reactor.drain()
            for _ in 0..<5 {
                // The first client reads nothing, the second reads a little, and the third reads as much as a slow
                // stream has.
                clients[1].collect(limit: clients[1].received.count + 30_000)
                let enough = clients[2].received.count + 150_000
                site.reactor.pump {
                    clients[2].collect(limit: enough).received.count >= enough || clients[2].end != nil
                }
                site.reactor.advance(by: .seconds(60))
            }
            site.reactor.pump { clients[2].collect().end != nil }
            #expect(isContent(clients[2].body) && clients[1].collect().body.count < content.count)
        }
        site.close()
    }

    @Test("F21: Files are sent in turns, and the loop is given back after a few milliseconds")
    func turns() throws {
        let reactor = BusyReactor()
        let service = HTTPService(reactor: reactor)
        try folder.write("file", content)
        let path = folder.file("file")
        service.router.add("/file", [.get]) { exchange in
            guard let file = HTTPFile(path: path) else { return }
            exchange.respond(with: HTTPRepresentation(file))
        }
        let port = try service.listen(try #require(SocketAddress("127.0.0.1:0"))).port
        let clients = (0..<10).map { _ in reactor.polled.connect(port: port) }
        for client in clients { client.send("GET /file HTTP/1.0\r\n\r\n") }
        reactor.polled.pump { clients.allSatisfy { $0.collect().end != nil } }
        #expect(clients.allSatisfy { isContent($0.body) })
        #expect(reactor.longestCallback <= .milliseconds(6))
        service.close()
    }
}

extension Site {
    /// Answers with the files of a folder.
    func serveFiles(of folder: TemporaryFolder, under prefix: String = "/files/") {
        service.router.add(under: prefix, [.get, .head]) { exchange, name in
            guard let file = HTTPFile(path: folder.file(name)) else { return exchange.respond(HTTPResponse(.notFound)) }
            exchange.respond(with: HTTPRepresentation(file))
        }
    }
}
