// SPDX-License-Identifier: MIT

import Instants
import TestSupport
import TestTools
import Testing

struct ScriptedOriginTests {
    @Test("Each connection gets its steps, the last list repeats, and all requests are recorded")
    func connections() async throws {
        let origin = try ScriptedOrigin(
            [.request, .failure(503, "Full")], [.request, .icyHead(name: "One"), .send([1, 2, 3])])
        let answers = try await onThread {
            try (0..<3).map { _ in try get("/a?b", from: origin.port) }
        }
        #expect(answers[0].hasPrefix("HTTP/1.0 503 Full\r\n"))
        #expect(answers[1].hasPrefix("ICY 200 OK\r\n") && answers[1].hasSuffix("\r\n\r\n\u{1}\u{2}\u{3}"))
        #expect(answers[2] == answers[1])
        #expect(origin.acceptCount == 3 && origin.requests.count == 3)
        #expect(origin.requests[1].path == "/a" && origin.requests[1].target == "/a?b")
        #expect(origin.requests[1].method == "GET" && origin.requests[1].header("ICY-metadata") == "1")
        #expect(origin.acceptTimes == origin.acceptTimes.sorted())
    }

    @Test("A path selects its steps, an unknown path is not found, and redirects may name the origin's own port")
    func paths() async throws {
        let origin = try ScriptedOrigin { port in
            OriginScript([
                .request,
                .byPath([
                    "/a": [.redirect(to: "http://127.0.0.1:\(port)/b")], "/b": [.text("hello", type: "text/html")],
                ]),
            ])
        }
        let port = origin.port
        #expect(try await onThread { try get("/a", from: port) }.contains("Location: \(origin.url("/b"))\r\n"))
        #expect(try await onThread { try get("/b", from: port) }.hasSuffix("\r\n\r\nhello"))
        #expect(try await onThread { try get("/c", from: port) }.hasPrefix("HTTP/1.0 404 "))
    }

    @Test("A paced body arrives in real time, and the head may arrive byte by byte")
    func pace() async throws {
        let body = [UInt8](repeating: 7, count: 10_000)
        let origin = try ScriptedOrigin(
            [.request, .drippedHead("HTTP/1.0 200 OK"), .pace(body, bytesPerSecond: 40_000)])
        let begin = MonotonicInstant.now
        let answer = try await onThread { [port = origin.port] in try get("/", from: port) }
        #expect(answer.utf8.count == 10_000 + 19)
        #expect(MonotonicInstant.now - begin >= .milliseconds(249))
    }

    @Test("A stall lasts until its gate opens")
    func stall() async throws {
        let (reached, gate) = (Gate(), Gate())
        let origin = try ScriptedOrigin([.request, .send([65]), .open(reached), .stall(gate), .send([66])])
        async let answer = onThread { [port = origin.port] in try get("/", from: port) }
        #expect(try await reached.hasOpened(within: .seconds(60)))
        gate.open()
        #expect(try await answer == "AB")
    }

    @Test("A stalled connection ends with the client, and with the origin")
    func stallEnds() async throws {
        let (reached, never) = (Gate(), Gate())
        let origin = try ScriptedOrigin([.request, .open(reached), .stall(never)])
        let client = try Loopback.connect(port: origin.port)
        defer { Loopback.close(client) }
        try Loopback.send(Array("GET / HTTP/1.0\r\n\r\n".utf8), to: client)
        #expect(try await reached.hasOpened(within: .seconds(60)))
        origin.stop()
        let rest = try await onThread { try Loopback.receive(from: client, by: Deadline(after: .seconds(60))) }
        #expect(rest == [])
    }

    @Test("Metadata blocks come after every interval, and a title in the first block that is due")
    func metadata() {
        let audio = [UInt8](1...10)
        let body = ICYBody(audio, interval: 4, titles: [(0, "a"), (5, "b")])
        let title = Array("StreamTitle='a';".utf8)
        #expect(title.count == 16)
        #expect(body.bytes == [1, 2, 3, 4, 1] + title + [5, 6, 7, 8, 1] + Array("StreamTitle='b';".utf8) + [9, 10])
        #expect(body.titleOffsets == [4, 8])
        #expect(ICYBody(audio, interval: 1, titles: []).bytes == audio.flatMap { [$0, 0] })
        #expect(ICYBody.block(String(repeating: "x", count: 17)).count == 33)
        #expect(ICYBody.block(String(repeating: "x", count: 5000)).count == 4081)
    }
}

private func get(_ target: String, from port: Int) throws -> String {
    let request = Array("GET \(target) HTTP/1.0\r\nIcy-MetaData: 1\r\n\r\n".utf8)
    return String(decoding: try Loopback.exchange(port: port, request, within: .seconds(60)), as: UTF8.self)
}
