// SPDX-License-Identifier: MIT

import CurlClient
import Synchronization
import Testing

struct ResponseTests {
    @Test("A plain response arrives whole") func plain() async throws {
        let outcome = try await fetch(
            answer: "HTTP/1.1 200 OK\r\nContent-Type: Audio/MPEG\r\nContent-Length: 5\r\n\r\nhello")
        #expect(outcome.error == nil)
        #expect(outcome.phases == [.resolving, .connecting, .waitingForHead, .receiving])
        #expect(outcome.head?.status == 200 && outcome.head?.isICY == false)
        #expect(outcome.head?["content-type"] == "Audio/MPEG" && outcome.head?.isPeerPrivate == true)
        #expect(outcome.head?.peerAddress == "127.0.0.1" && outcome.heads.count == 1)
        #expect(outcome.text == "hello")
    }

    @Test("The head of a request has the required fields and no others") func requestHead() async throws {
        let seen = Mutex("")
        let outcome = try await fetch(
            from: { connection in
                let head = connection.readHead()
                seen.withLock { $0 = head }
                connection.send("HTTP/1.1 200 OK\r\n\r\n")
            },
            {
                $0.headers = [("X-Own", "a b"), ("X-Empty", "")]
                $0.resumeAt = 1234
                $0.resumeValidator = "\"tag\""
            })
        #expect(outcome.error == nil)
        let lines = seen.withLock { $0 }.split(separator: "\r\n")
        #expect(lines.first == "GET /live HTTP/1.1")
        for line in [
            "User-Agent: Aircheck/0.1", "Icy-MetaData: 1", "Accept: */*", "X-Own: a b", "X-Empty:",
            "Range: bytes=1234-", "If-Range: \"tag\"",
        ] {
            #expect(lines.contains { $0 == line }, "\(line)")
        }
        for name in ["accept-encoding", "cookie", "connection", "authorization", "upgrade"] {
            #expect(!lines.contains { $0.lowercased().hasPrefix(name) }, "\(name)")
        }
    }

    @Test("A4: An ICY answer is a response") func icyAnswer() async throws {
        let outcome = try await fetch(answer: "ICY 200 OK\r\nicy-name: Radio\r\nicy-metaint:16000\r\n\r\naudio")
        #expect(outcome.error == nil && outcome.head?.status == 200 && outcome.head?.isICY == true)
        #expect(outcome.head?["icy-metaint"] == "16000" && outcome.text == "audio")
    }

    @Test("A4: An ICY refusal keeps its status", arguments: [400, 401, 403, 404, 503])
    func icyRefusal(status: Int) async throws {
        let outcome = try await fetch(answer: "ICY \(status) Sorry,  full\r\nicy-notice1: full\r\n\r\n")
        #expect(outcome.error == nil && outcome.head?.status == status && outcome.head?.isICY == true)
        #expect(outcome.head?.reason == "Sorry, full" && outcome.head?["icy-notice1"] == "full")
    }

    @Test(
        "A4: A head may be split at any byte",
        arguments: [
            "HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\n folded\r\nicy-name: Caf\u{e9}\r\n\r\nbody",
            "ICY 200 OK\r\nicy-br:128\r\n\r\nbody",
        ])
    func splitHead(text: String) async throws {
        let bytes = Array(text.utf8)
        let server = try ScriptedServer { connection in
            _ = connection.readHead()
            let split = connection.number + 1
            connection.send(bytes[..<split])
            // The pause sends the second part on its own: on loopback Nagle's algorithm does not delay it.
            usleepBriefly()
            connection.send(bytes[split...])
        }
        defer { server.stop() }
        let outcomes = try await Bench.with { bench in
            var outcomes: [Outcome] = []
            for _ in 1..<bytes.count { outcomes.append(await bench.fetch(TransferRequest(url: server.url()))) }
            return outcomes
        }
        for outcome in outcomes {
            #expect(outcome.error == nil && outcome.head?.status == 200)
            #expect(outcome.heads.first?.fields.map(\.name) == outcomes[0].heads.first?.fields.map(\.name))
            #expect(outcome.heads.first?.fields.map(\.value) == outcomes[0].heads.first?.fields.map(\.value))
            #expect(outcome.text == "body")
        }
    }

    @Test("Field names are lowercased, values trimmed, and the order kept") func fields() async throws {
        let outcome = try await fetch { connection in
            connection.answer("HTTP/1.0 200 OK\r\nB:  two \r\nA:one\r\nb: three\r\nLong: x\r\n\t y\r\n")
            connection.send(Array("icy-name: ".utf8) + [0x43, 0x61, 0x66, 0xe9, 13, 10, 13, 10])
        }
        #expect(outcome.head?.fields.map(\.name) == ["b", "a", "b", "long", "icy-name"])
        #expect(outcome.head?.fields.map(\.value) == ["two", "one", "three", "x y", "Café"])
        #expect(outcome.head?["b"] == "two")
    }

    @Test("The end of a live stream is not an error") func liveEnd() async throws {
        let outcome = try await fetch(answer: "HTTP/1.0 200 OK\r\n\r\naudio")
        #expect(outcome.error == nil && outcome.text == "audio")
    }

    @Test("A body shorter than announced is reported as truncated") func truncatedBody() async throws {
        let outcome = try await fetch(answer: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
        #expect(outcome.error?.code == .truncated && outcome.text == "short")
    }

    @Test("A17: A chunked body is reassembled") func chunkedBody() async throws {
        let outcome = try await fetch { connection in
            connection.answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            connection.send("3\r\nabc\r\n2\r\nde\r\n0\r\nTrailer: x\r\n\r\n")
        }
        #expect(outcome.error == nil && outcome.text == "abcde" && outcome.heads.count == 1)
    }

    @Test("A17: A compressed body is an error", arguments: ["gzip", "br", "deflate, gzip"])
    func compressedBody(coding: String) async throws {
        let outcome = try await fetch(answer: "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\n\r\nxxxx")
        #expect(outcome.error?.code == .compressed)
        #expect(outcome.error?.message.contains("compressed") == true && outcome.body.isEmpty)
        #expect(outcome.heads.isEmpty)
    }

    @Test("B48: A body that is compressed without a request is decoded, if that is wanted")
    func decodedBody() async throws {
        let seen = Mutex("")
        // "File1=x" by gzip.
        let body: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 0x73, 0xCB, 0xCC, 0x49, 0x35, 0xB4, 0xAD, 0, 0, 0xC5, 0x62, 0xE9, 0xD4,
            7, 0, 0, 0,
        ]
        let outcome = try await fetch(
            from: { connection in
                let head = connection.readHead()
                seen.withLock { $0 = head }
                connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n")
                connection.send(body)
            }, { $0.decodesContent = true })
        #expect(outcome.error == nil && outcome.text == "File1=x")
        #expect(seen.withLock { $0 }.contains("\r\nAccept-Encoding: identity\r\n"))
    }

    @Test("A charset in place of a content coding does not keep the body from being read, also if bodies are decoded")
    func charsetAsCoding() async throws {
        let outcome = try await fetch(
            from: { connection in
                connection.answer("HTTP/1.1 200 OK\r\nContent-Encoding: UTF-8\r\n\r\naudio")
            }, { $0.decodesContent = true })
        #expect(outcome.error == nil && outcome.text == "audio")
    }

    @Test("An HTTP error status is delivered as a head and is not an error", arguments: [401, 404, 503])
    func httpError(status: Int) async throws {
        let outcome = try await fetch(answer: "HTTP/1.1 \(status) No\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n")
        #expect(outcome.error == nil && outcome.head?.status == status)
        #expect(outcome.head?["retry-after"] == "7")
    }

    @Test("A17: A Content-Length ends the response, and a length not reached is an error", arguments: [3, 10])
    func announcedLength(length: Int) async throws {
        let outcome = try await fetch(answer: "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\naudio")
        #expect(outcome.error?.code == (length == 3 ? nil : .truncated))
        #expect(outcome.text == (length == 3 ? "aud" : "audio"))
    }

    @Test("A request may refuse compression") func refusedCompression() async throws {
        let seen = Mutex("")
        _ = try await fetch(
            from: { connection in
                let head = connection.readHead()
                seen.withLock { $0 = head }
                connection.send("HTTP/1.1 200 OK\r\n\r\n")
            }, { $0.refusesCompression = true })
        #expect(seen.withLock { $0 }.contains("\r\nAccept-Encoding: identity\r\n"))
    }

    @Test("Informational responses are skipped") func informational() async throws {
        let outcome = try await fetch { connection in
            connection.answer("HTTP/1.1 103 Early\r\nX: 1\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n")
            connection.send("HTTP/1.1 200 OK\r\nY: 2\r\n\r\nbody")
        }
        #expect(outcome.error == nil && outcome.head?.status == 200)
        #expect(outcome.head?.fields.map(\.name) == ["y"] && outcome.text == "body")
    }
}
