// SPDX-License-Identifier: MIT

import CurlClient
import Glibc
import Synchronization
import Testing

/// Requests with a body, and redirects that are not followed.
struct PostTests {
    /// The bodies are a small one that contains a NUL, an empty one and a large one.
    @Test(
        "A request body is posted with its length and content type",
        arguments: [("{\"a\":\"\0 é\"}", 1), ("", 1), ("A", 300_000)])
    func body(text: String, times: Int) async throws {
        let body = Array(String(repeating: text, count: times).utf8)
        let received = Mutex((head: "", body: [UInt8]()))
        let outcome = try await fetch { connection in
            let head = connection.readHead()
            let sent = connection.readBody(of: body.count)
            received.withLock { $0 = (head, sent) }
            connection.send("HTTP/1.1 204 No Content\r\n\r\n")
        } _: { request in
            request.body = body
            request.wantsMetadata = false
            request.openHeaders = [("Content-Type", "application/json")]
        }
        #expect(outcome.error == nil && outcome.head?.status == 204)
        let (head, sent) = received.withLock { $0 }
        #expect(sent == body)
        let lines = head.split(separator: "\r\n").map(String.init)
        #expect(lines.first == "POST /live HTTP/1.1" && lines.contains("Content-Length: \(body.count)"))
        #expect(lines.filter { $0.lowercased().hasPrefix("content-type:") } == ["Content-Type: application/json"])
        #expect(!lines.contains { $0.lowercased().hasPrefix("expect") })
    }

    @Test("A redirect that is not to be followed is delivered as a response") func unfollowedRedirect() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.readHead()
            _ = connection.readBody(of: 2)
            connection.send("HTTP/1.1 307 Elsewhere\r\nLocation: /edge\r\nContent-Length: 3\r\n\r\nno!")
        }
        defer { server.stop() }
        var request = TransferRequest(url: server.url())
        request.body = Array("{}".utf8)
        request.followsRedirects = false
        let outcome = try await fetch(request)
        #expect(outcome.error == nil && outcome.heads.map(\.status) == [307])
        #expect(outcome.head?.redirects == 0 && outcome.text == "no!")
        #expect(server.accepted == 1)
        #expect(outcome.phases == [.resolving, .connecting, .waitingForHead, .receiving])
    }
}

extension ScriptedServer.Connection {
    /// Reads this many bytes; fewer if the client hangs up.
    fileprivate func readBody(of count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count < count {
            let read = Glibc.read(descriptor, &room, min(room.count, count - bytes.count))
            guard read > 0 else { break }
            bytes += room.prefix(read)
        }
        return bytes
    }
}
