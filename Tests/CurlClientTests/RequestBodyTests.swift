// SPDX-License-Identifier: MIT

import CurlClient
import Glibc
import Platform
import Synchronization
import Testing

/// Requests with a body, and redirects that are not followed.
struct RequestBodyTests {
    enum Kind: CaseIterable {
        case post, put, putFile

        /// This body; a file has other bytes before and after it.
        func body(_ bytes: [UInt8]) throws -> RequestBody {
            switch self {
            case .post: .post(bytes)
            case .put: .put(bytes)
            case .putFile: .putFile(try .memory([1, 2, 3] + bytes + [4]), 3..<3 + bytes.count)
            }
        }
    }

    /// The bodies are a small one that contains a NUL, an empty one and a large one.
    @Test(
        "A request body is sent with its length and content type", arguments: Kind.allCases,
        [("{\"a\":\"\0 é\"}", 1), ("", 1), ("A", 300_000)])
    func body(kind: Kind, content: (text: String, times: Int)) async throws {
        let body = Array(String(repeating: content.text, count: content.times).utf8)
        let received = Mutex((head: "", body: [UInt8]()))
        let requestBody = try kind.body(body)
        let outcome = try await fetch { connection in
            let head = connection.readHead()
            let sent = connection.readBody(of: body.count)
            received.withLock { $0 = (head, sent) }
            connection.send("HTTP/1.1 204 No Content\r\n\r\n")
        } _: { request in
            request.body = requestBody
            request.wantsMetadata = false
            request.openHeaders = [("Content-Type", "application/json")]
        }
        #expect(outcome.error == nil && outcome.head?.status == 204)
        let (head, sent) = received.withLock { $0 }
        #expect(sent == body)
        let lines = head.split(separator: "\r\n").map(String.init)
        #expect(lines.first == "\(kind == .post ? "POST" : "PUT") /live HTTP/1.1")
        #expect(lines.contains("Content-Length: \(body.count)"))
        #expect(lines.filter { $0.lowercased().hasPrefix("content-type:") } == ["Content-Type: application/json"])
        #expect(!lines.contains { $0.lowercased().hasPrefix("expect") })
    }

    @Test("A redirect with the status 307 has the body sent again", arguments: Kind.allCases)
    func redirectedBody(kind: Kind) async throws {
        let body = [UInt8](repeating: 7, count: 300_000)
        let received = Mutex([[UInt8]]())
        let requestBody = try kind.body(body)
        let outcome = try await fetch { connection in
            _ = connection.readHead()
            let sent = connection.readBody(of: body.count)
            received.withLock { $0.append(sent) }
            let isFirst = connection.number == 0
            connection.send("HTTP/1.1 \(isFirst ? 307 : 200) X\r\nLocation: /edge\r\nContent-Length: 0\r\n\r\n")
        } _: {
            $0.body = requestBody
        }
        #expect(outcome.error == nil && outcome.heads.map(\.status) == [200])
        #expect(received.withLock { $0 } == [body, body])
    }

    @Test("A refusal that comes before the end of the body is the response, and the rest is not sent")
    func earlyAnswer() async throws {
        let requestBody = try Kind.putFile.body([UInt8](repeating: 7, count: 30_000_000))
        let (received, receive) = AsyncStream.makeStream(of: Int.self)
        let outcome = try await fetch { connection in
            connection.answer("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno")
            receive.yield(connection.readBody(of: 30_000_000).count)
        } _: {
            $0.body = requestBody
        }
        #expect(outcome.error == nil && outcome.head?.status == 403 && outcome.text == "no")
        #expect(await received.first { _ in true } ?? 0 < 30_000_000)
    }

    @Test("A file that becomes shorter while it is sent ends the transfer") func shorterFile() async throws {
        let count = 30_000_000
        let file = try Descriptor.memory([UInt8](repeating: 7, count: count))
        let outcome = try await fetch { connection in
            _ = connection.readHead()
            ftruncate(file.number, 1_000)
            _ = connection.readBody(of: count)
        } _: {
            $0.body = .putFile(file, 0..<count)
        }
        #expect(outcome.error?.code == .aborted && outcome.heads.isEmpty)
        #expect(outcome.error?.message.hasSuffix("has become shorter or cannot be read") == true)
    }

    @Test("A redirect that is not to be followed is delivered as a response") func unfollowedRedirect() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.readHead()
            _ = connection.readBody(of: 2)
            connection.send("HTTP/1.1 307 Elsewhere\r\nLocation: /edge\r\nContent-Length: 3\r\n\r\nno!")
        }
        defer { server.stop() }
        var request = TransferRequest(url: server.url())
        request.body = .post(Array("{}".utf8))
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
