// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Synchronization
import Testing

/// Heads that break HTTP, before audio all the same.
struct OddHeadTests {
    private static let type = "Content-Type: audio/mpeg\r\n"

    /// Heads after which the audio is taken: those that curl accepts, and those that are read in a plain request.
    private static let heads = [
        // The status line.
        "HTTP/1.1 200\r\n", "HTTP/1.1 200OK\r\n", "http/1.0 200 ok\r\n", "HTTP/1.1\t200\tOK\r\n", "HTTP/1.1 OK 200\r\n",
        "HTTP 200 OK\r\n", "HTTP/1.10 200 OK\r\n", "HTTP/1 200 OK\r\n", "HTTP/1.1 2000 OK\r\n", "HTTP/1.1\r\n",
        "\r\nHTTP/1.0 200 OK\r\n", "\n\n  HTTP/1.0 200 OK\r\n", "HTTP/1.0 200 OK\n",
        "ICY 200 OK\r\n", "ICY  200 OK\r\n", "ICY\t200 OK\r\n", "ICY 200OK\r\n", "icy 200 ok\r\n", "ICY: 200 OK\r\n",
        "ICY/1.0 200 OK\r\n", "ICY hello\r\n",
        // Fields.
        "HTTP/1.1 200 OK\r\nno colon here\r\n", "ICY 200 OK\r\nno colon here\r\n", "HTTP/1.1 200 OK\r\n: no name\r\n",
        "HTTP/1.1 200 OK\r\n folded before any field\r\n", "HTTP/1.1 200 OK\r\nX: a\0b\r\n",
        "HTTP/1.1 200 OK\r\nX\0: a\r\n",
        "HTTP/1.1 200 OK\r\nX: a\r\n folded\r\n", "HTTP/1.1 200 OK\r\nX y : \u{1}\u{7}\r\n",
        // The length and the coding of the body.
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n", "HTTP/1.1 200 OK\r\nContent-Length:\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n", "HTTP/1.1 200 OK\r\nContent-Length: unknown\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1e9\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nicy-name: Nova\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: binary\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: UTF-8\r\n", "HTTP/1.1 200 OK\r\nContent-Encoding: none\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\n", "HTTP/1.1 200 OK\r\nContent-Encoding:\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: audio/mpeg\r\n",
    ]

    @Test("A27: Audio after a head that breaks HTTP is taken, with the fields that make sense", arguments: heads)
    func audioIsTaken(head: String) async throws {
        let outcome = try await fetch(answer: "\(head)\(Self.type)\r\n\u{7f}audio")
        #expect(outcome.error == nil && outcome.head?.status == 200)
        #expect(outcome.head?["content-type"] == "audio/mpeg" && outcome.text == "\u{7f}audio")
        #expect(outcome.heads.count == 1)
    }

    @Test(
        "A27: Audio that is not in the coding that its head names is taken, once the body was to be decoded",
        arguments: ["gzip", "br", "deflate, gzip"])
    func codingOfNothing(coding: String) async throws {
        let body: [UInt8] = [0xff, 0xfb, 0x90, 0x00] + [UInt8](repeating: 0x55, count: 413)
        let outcome = try await fetch(
            from: { connection in
                connection.answer("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\n\r\n")
                for _ in 0..<10 { connection.send(body) }
            }, { $0.decodesContent = true })
        #expect(outcome.error == nil && outcome.heads.count == 1)
        #expect(outcome.body == (0..<10).flatMap { _ in body })
    }

    @Test("A27: A length is ignored if others contradict it or the head is a live station's, unless it is the largest")
    func lengths() async throws {
        let fields = [
            "Content-Length: 5\r\nContent-Length: 5", "Content-Length: 2147483647\r\nicy-name: Nova",
            "Content-Length: 5", "Content-Length: 5\r\nContent-Length: 7", "Content-Length: 5\r\nicy-br: 128",
        ]
        var ignored: [Int?] = []
        for field in fields {
            let outcome = try await fetch(answer: "HTTP/1.1 200 OK\r\n\(field)\r\n\r\naudio")
            ignored.append(outcome.head?.ignored)
        }
        #expect(ignored == [0, 0, 0, 1, 1])
    }

    @Test(
        "A27: A head in single bytes is read, too", arguments: ["HTTP/1.1 200 OK\r\nno colon\r\n", "ICY  200 OK\r\n"])
    func bytewise(head: String) async throws {
        let outcome = try await fetch { connection in
            _ = connection.readHead()
            for byte in "\(head)\(Self.type)\r\nau".utf8 {
                connection.send([byte])
                if connection.number > 0 { usleepBriefly() }
            }
            connection.send("dio")
        }
        #expect(outcome.head?["content-type"] == "audio/mpeg" && outcome.text == "audio")
    }

    @Test("A27: Lines that make no sense are counted") func counted() async throws {
        let outcome = try await fetch(
            answer: "HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: -1\r\nContent-Encoding: UTF-8\r\nA: b\r\n\r\n")
        #expect(outcome.head?.ignored == 3 && outcome.head?.fields.map(\.name) == ["a"])
    }

    @Test("A27: Audio without any head is taken") func noHead() async throws {
        for audio: [UInt8] in [[0xff, 0xfb, 0x90, 0x64, 0], Array("ID3".utf8) + [4, 0, 10, 10], Array("OggS".utf8)] {
            let outcome = try await fetch { connection in
                _ = connection.readHead()
                for byte in audio { connection.send([byte]) }
            }
            #expect(outcome.error == nil && outcome.head?.status == 200 && outcome.body == audio)
        }
    }

    @Test("A27: The plain request asks for the same as curl's, and only once per exchange") func request() async throws
    {
        let heads = Mutex([String]())
        let server = try ScriptedServer { connection in
            let head = connection.readHead()
            heads.withLock { $0.append(head) }
            connection.send("ICY  200 OK\r\n\r\naudio")
        }
        defer { server.stop() }
        var request = TransferRequest(
            url: server.url("/a%20b/live?x=%20&y#z", user: "me:se%40cret"), userAgent: "Radio/1")
        request.headers = [("X-Key", "1"), ("X-Empty", "")]
        request.openHeaders = [("X-Open", "2")]
        let outcome = try await fetch(request)
        #expect(outcome.text == "audio")
        let seen = heads.withLock { $0 }
        #expect(seen.count == 2)
        func fields(_ head: String?) -> Set<String> {
            Set((head ?? "").split(whereSeparator: \.isNewline).dropFirst().map { String($0).lowercased() })
        }
        #expect(seen.last?.hasPrefix("GET /a%20b/live?x=%20&y HTTP/1.0\r\n") == true)
        #expect(fields(seen.last) == fields(seen.first).union(["connection: close"]))
        #expect(fields(seen.last).contains("authorization: basic bwu6c2vay3jlda=="))
    }

    @Test("A27: What is no audio server at all is named after one plain request") func other() async throws {
        let silent = try await fetch { connection in
            _ = connection.readHead()
            connection.send(connection.number == 0 ? "SSH-2.0" : "")
        }
        #expect(silent.error?.code == .protocolViolation && silent.heads.isEmpty)
        let secured = try await fetch { connection in
            _ = connection.readHead()
            connection.send([0x15, 3, 1, 0, 2, 2, 0x46])
        }
        #expect(secured.error?.code == .speaksTLS)
    }

    @Test("A27: A plain response that ends before its length is truncated, and an endless head is refused")
    func limits() async throws {
        let short = try await fetch(answer: "ICY  200 OK\r\nContent-Length: 9\r\n\r\naudio")
        #expect(short.error?.code == .truncated && short.text == "audio")
        let endless = try await fetch { connection in
            connection.answer("ICY  200 OK\r\n")
            while connection.send("x: y\r\n") {}
        }
        #expect(endless.error != nil && endless.heads.isEmpty)
    }

    @Test("A27: A redirect with a head that breaks HTTP is followed, and a circle of them ends")
    func redirect() async throws {
        let server = try ScriptedServer { connection in
            let head = connection.readHead()
            let target = head.hasPrefix("GET /live ") ? "/next" : head.hasPrefix("GET /next ") ? "next/last" : ""
            guard !target.isEmpty else { return _ = connection.send("ICY  200 OK\r\n\r\naudio") }
            connection.send("HTTP/1.1 302 Found\r\nno colon\r\nLocation: \(target)\r\n\r\n")
        }
        defer { server.stop() }
        let outcome = try await fetch(TransferRequest(url: server.url()))
        #expect(outcome.text == "audio" && outcome.head?.redirects == 2)
        #expect(outcome.head?.effectiveURL == server.url("/next/last"))
        let circle = try await fetch(answer: "HTTP/1.1 302 Found\r\nno colon\r\nLocation: /live\r\n\r\n")
        #expect(circle.error?.code == .tooManyRedirects && circle.heads.isEmpty)
    }

    @Test("A27: A paused transfer whose head curl does not read continues where it was paused")
    func paused() async throws {
        let server = try ScriptedServer(answer: "ICY  200 OK\r\n\r\naudio")
        defer { server.stop() }
        let outcome = try await Bench.with { bench in
            await bench.fetch(TransferRequest(url: server.url())) { listener, moment, transfer in
                guard moment == .head else { return }
                transfer.pause()
                listener.isPaused = true
                bench.loop.post {
                    listener.isPaused = false
                    listener.transfer?.resume()
                }
            }
        }
        #expect(outcome.text == "audio" && !outcome.cameWhilePaused && outcome.error == nil)
    }

    @Test("A27: TLS carries a plain request, too") func secured() async throws {
        let server = try TLSServer(answer: "HTTP/1.0 200 OK\r\nno colon\r\n\r\naudio")
        defer { server.stop() }
        var request = TransferRequest(url: server.url("/answer"))
        request.caFile = server.authority
        let outcome = try await fetch(request)
        #expect(outcome.error == nil && outcome.text == "audio" && outcome.head?.ignored == 1)
    }
}
