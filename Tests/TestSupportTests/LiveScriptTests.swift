// SPDX-License-Identifier: MIT

import Instants
import TestSupport
import TestTools
import Testing

/// The same scripts as in virtual time, over real sockets.
struct LiveScriptTests {
    static let programme = VirtualOriginTests.programme

    @Test("A connection gets the head, the burst and later audio in real time")
    func live() async throws {
        let origin = try ScriptedOrigin(LiveScript(.stream(LiveStream(Self.programme, burst: 64 * 1024))))
        let listener = try Listener(origin.port)
        let (head, body) = try await listener.body(atLeast: 65_536 + 8_000)
        #expect(head.hasPrefix("HTTP/1.0 200 OK\r\n") && head.contains("Content-Type: audio/mpeg\r\n"))
        #expect(!head.contains("icy-metaint"))
        #expect(Self.places(body) != nil)
        let request = try #require(origin.log.requests.first)
        let edge = Self.programme.edge(at: .seconds(40) + (.now - origin.began))
        let begin = try #require(Self.places(body))
        #expect(begin + body.count <= edge)
        #expect(begin + 65_536 >= Self.programme.edge(at: .seconds(40)) / 1400 * 1400)
        #expect(request.target == "/live" && !request.wantsMetadata)
        #expect(origin.log.accepts.count == 1 && origin.log.open == 1)
        // The origin logs bytes a moment after a listener may have received them.
        #expect(try await waitUntil(.seconds(10)) { origin.log.bodyBytes >= body.count })
    }

    @Test(
        "Connections are cut within a frame and within metadata, orderly or by a reset",
        arguments: [LiveFault.Effect.close, .reset])
    func cuts(effect: LiveFault.Effect) async throws {
        let inFrame = LiveStream(Self.programme, burst: 0, faults: [.inFrame(after: .milliseconds(100), effect)])
        let inBlock = LiveStream(
            Self.programme.title("Song", from: 0), burst: 0, interval: 4_000,
            faults: [.inMetadata(after: .milliseconds(100), effect)])
        let origin = try ScriptedOrigin(LiveScript(.stream(inFrame), .stream(inBlock)))
        let (_, first) = try await Listener(origin.port).body()
        let begin = try #require(Self.places(first))
        #expect((begin + first.count) % 384 == 192)
        let (head, second) = try await Listener(origin.port, metadata: true).body()
        #expect(head.contains("icy-metaint: 4000\r\n"))
        #expect(second.suffix(17) == ICYBody.block("StreamTitle='Song';").prefix(17))
        let log = origin.log
        #expect(log.faults.map(\.connection) == [0, 1] && log.faults.allSatisfy { $0.effect == effect })
        #expect(log.faults.first?.place == (begin + first.count) / 384)
        let delays = zip(log.faults, log.accepts).map { fault, accept in fault.at - accept.at }
        #expect(delays.allSatisfy { $0 >= .milliseconds(100) })
    }

    @Test("An origin that is gone refuses connections, and comes back on the same port")
    func gone() async throws {
        let script = LiveScript(
            .stream(LiveStream(Self.programme, burst: 0)),
            absences: [.init(.milliseconds(1_500), for: .seconds(1), .gone)])
        let origin = try ScriptedOrigin(script)
        let (_, body) = try await Listener(origin.port).body()
        #expect(MonotonicInstant.now - origin.began >= .milliseconds(1_500))
        #expect(Self.places(body) != nil)
        // On a busy machine the absence may be over by now.
        let isRefused = try await waitUntil(.seconds(5)) { [port = origin.port] in
            !Loopback.answers(port: port)
        }
        #expect(isRefused || MonotonicInstant.now - origin.began > .milliseconds(2_500))
        let isBack = try await waitUntil(.seconds(60)) { [port = origin.port] in Loopback.answers(port: port) }
        #expect(isBack)
        #expect(MonotonicInstant.now - origin.began >= .milliseconds(2_500))
        let (_, again) = try await Listener(origin.port).body(atLeast: 1)
        #expect(Self.places(again) != nil)
        #expect(origin.log.faults.map(\.effect) == [.reset])
    }

    @Test("An origin that is absent from the start refuses, and a resetting one accepts")
    func absences() async throws {
        var script = LiveScript(.status(404, "Not Found"), absences: [.init(.zero, for: .seconds(3600), .refusing)])
        let refusing = try ScriptedOrigin(script)
        #expect(!Loopback.answers(port: refusing.port))
        script.absences = [.init(.zero, for: .seconds(3600), .resetting)]
        let resetting = try ScriptedOrigin(script)
        #expect(try await Listener(resetting.port).body().head.isEmpty)
        #expect(resetting.log.accepts.count == 1)
    }

    @Test("Answers are whole and may depend on the path, and silence ends with the origin")
    func answers() async throws {
        let origin = try ScriptedOrigin { port in
            LiveScript { visit in
                switch visit.target {
                case "/moved": .redirect(to: "http://127.0.0.1:\(port)/live")
                case "/silent": .silence
                case "/hung-up": .hangUp
                default: .status(403, "Full", ["Retry-After": "7"])
                }
            }
        }
        let (head, body) = try await Listener(origin.port).body()
        #expect(head.hasPrefix("HTTP/1.0 403 Full\r\nRetry-After: 7\r\n") && body == Array("403 Full\n".utf8))
        #expect(try await Listener(origin.port, "/moved").body().head.contains("Location: \(origin.url("/live"))\r\n"))
        #expect(try await Listener(origin.port, "/hung-up").body().head.isEmpty)
        let silent = try Listener(origin.port, "/silent")
        #expect(try await origin.hasLogged(within: .seconds(60)) { $0.requests.count == 4 })
        origin.stop()
        #expect(try await silent.body().head.isEmpty)
        #expect(try await origin.hasLogged(within: .seconds(60)) { $0.open == 0 })
    }

    /// The place in the programme at which `body` begins.
    private static func places(_ body: [UInt8]) -> Int? {
        let begin = programme.edge(at: .seconds(40)) / 1400 * 1400 - 65_536
        let probe = body.prefix(64)
        return (begin..<(begin + 1_000_000)).first { start in
            programme.bytes[start] == probe.first && programme.bytes[start...].starts(with: probe)
                && programme.bytes[start...].starts(with: body)
        }
    }
}

/// A client that sends one request and reads.
private final class Listener: Sendable {
    private let descriptor: CInt

    init(_ port: Int, _ target: String = "/live", metadata: Bool = false) throws {
        descriptor = try Loopback.connect(port: port)
        let fields = metadata ? "Icy-MetaData: 1\r\n" : ""
        // A reset may arrive before the request is sent.
        try? Loopback.send(Array("GET \(target) HTTP/1.0\r\n\(fields)\r\n".utf8), to: descriptor)
    }

    deinit { Loopback.close(descriptor) }

    /// The head, and the body up to its end or until `count` bytes of it have arrived.
    func body(atLeast count: Int = .max) async throws -> (head: String, body: [UInt8]) {
        try await onThread { [self] in
            var bytes: [UInt8] = []
            let deadline = Deadline(after: .seconds(60))
            while true {
                let end = bytes.indices.prefix(1_000).first { bytes[$0...].starts(with: [13, 10, 13, 10]) }
                let body = end.map { bytes.count - $0 - 4 } ?? 0
                if body < count, let more = try Loopback.receive(from: descriptor, by: deadline), !more.isEmpty {
                    bytes += more
                } else {
                    return (
                        String(decoding: bytes.prefix(bytes.count - body), as: UTF8.self), Array(bytes.suffix(body))
                    )
                }
            }
        }
    }
}
