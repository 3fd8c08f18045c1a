// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// Stations that are unavailable or are not audio: what is reported, and what is tried next.
struct FailureTests {
    private let live: [OriginScript.Step] = [.request, .icyHead(), .send(SampleProgramme(30).bytes), .stall(Gate())]

    @Test("A station whose encoder is down is tried again") func encoderDown() async throws {
        let origin = try ScriptedOrigin([.request, .failure(404, "Not Found")], live)
        let heard = try await StationRig.listen(to: origin.url("/live")) { $0.frames >= 28 }
        #expect(heard.failures.map(\.failureClass) == [.notFound])
        #expect(heard.failures.first?.message.contains("404") == true)
        // Nothing was delivered before, so nothing is lost.
        #expect(heard.gaps.isEmpty && heard.discontinuities.map(\.kind) == [.firstJoin])
    }

    @Test("Mirrors are tried in turn without a wait, and again after a drop") func mirrorTurns() async throws {
        let bad = try ScriptedOrigin([.request, .failure(503, "Busy")])
        let good = try ScriptedOrigin([.request, .icyHead(), .send(SampleProgramme(30, seed: 2).bytes)], live)
        let heard = try await StationRig.listen(to: bad.url("/a"), good.url("/b")) { $0.frames >= 58 }
        // After the drop the first mirror is tried first again, without a wait.
        #expect(heard.connections == [bad.url("/a"), good.url("/b"), bad.url("/a"), good.url("/b")])
        #expect(heard.gaps.count == 1)
    }

    @Test("A mirror that needs a password delays no other mirror") func passwordMirror() async throws {
        let closed = try ScriptedOrigin([.request, .failure(401, "Unauthorized")])
        let good = try ScriptedOrigin(live)
        let heard = try await StationRig.listen(
            to: closed.url(), good.url(), change: { $0.giveUp = .seconds(60) }, until: { $0.frames >= 28 })
        #expect(heard.failures.map(\.failureClass) == [.unauthorized])
    }

    @Test("A redirect to nonsense is a protocol failure and not the user's mistake")
    func nonsenseRedirect() async throws {
        let origin = try ScriptedOrigin([.request, .redirect(to: "http://[nonsense/")], live)
        let heard = try await StationRig.listen(to: origin.url()) { $0.frames >= 28 }
        #expect(heard.failures.map(\.failureClass) == [.protocol])
    }

    @Test("A redirect is followed, and its target is tried once after a drop") func redirectTarget() async throws {
        let origin = try ScriptedOrigin(
            [.request, .redirect(to: "/edge?token=secret")],
            [.request, .icyHead(), .send(SampleProgramme(30, seed: 2).bytes)],
            [.request, .failure(403, "Forbidden")],
            [.request, .redirect(to: "/edge?token=fresh")],
            live)
        let heard = try await StationRig.listen(to: origin.url("/station")) { $0.frames >= 58 }
        #expect(
            origin.requests.map(\.target) == [
                "/station", "/edge?token=secret", "/edge?token=secret", "/station", "/edge?token=fresh",
            ])
        // Reported addresses contain no token.
        #expect(heard.connections == ["/station", "/edge", "/station"].map { origin.url($0) })
        #expect(heard.gaps.first?.tried.count == 1)
        // Neither the drop nor the refusal caused a wait.
        let waits = heard.notices.compactMap { if case .failed(_, let wait) = $0 { wait } else { nil } }
        #expect(waits == [.zero, .zero])
    }

    @Test(
        "A18: A page under an audio content type is not taken for audio",
        arguments: [
            ("<!DOCTYPE html><html><body>Station is off air</body></html>", "web page"),
            (#"{"error": "no such station", "code": 404, "padding": "................"}"#, "text"),
        ])
    func pageAsAudio(body: String, word: String) async throws {
        let origin = try ScriptedOrigin([.request, .text(body, type: "audio/mpeg")])
        let heard = try await StationRig.listen(to: origin.url("/live")) { !$0.failures.isEmpty }
        #expect(heard.failures.first?.failureClass == .notAudio)
        #expect(heard.failures.first?.message.contains(word) == true, "\(heard.failures)")
        #expect(heard.frames == 0)
        // Nothing was announced, because this is not a station.
        #expect(heard.infos.isEmpty && heard.order.isEmpty)
    }

    @Test("A4: A response head in pieces of one byte is understood") func drippedHead() async throws {
        let head = OriginScript.Step.drippedHead("ICY 200 OK", ["icy-name": "Nova", "Content-Type": "audio/mpeg"])
        let origin = try ScriptedOrigin([.request, head, .send(SampleProgramme(30).bytes), .stall(Gate())])
        let heard = try await StationRig.listen(to: origin.url()) { $0.frames >= 28 }
        #expect(heard.infos.map(\.name) == ["Nova"] && heard.failures.isEmpty)
    }

    @Test("F32: A station that gives no name has that of its address, and it is known that this is one")
    func unnamed() async throws {
        for (name, isNamed) in [("no name", false), ("Nova", true)] {
            let head = OriginScript.Step.head("ICY 200 OK", ["icy-name": name, "Content-Type": "audio/mpeg"])
            let origin = try ScriptedOrigin([.request, head, .send(SampleProgramme(30).bytes), .stall(Gate())])
            let heard = try await StationRig.listen(to: origin.url("/studio")) { $0.frames >= 28 }
            let info = try #require(heard.infos.first)
            #expect(info.name == (isNamed ? "Nova" : "127.0.0.1/studio") && info.isNamedByURL == !isNamed)
        }
    }

    @Test("A17: Bad chunks, compression and wrong lengths are survived, each under its own failure class")
    func brokenBodies() async throws {
        let audio = SampleProgramme(30, seed: 2).bytes
        let other = SampleProgramme(30, seed: 3).bytes
        let chunked: [OriginScript.Step] = [
            .head("HTTP/1.1 200 OK", ["Transfer-Encoding": "chunked", "icy-name": "Nova"]),
            .send(Array((String(audio.count, radix: 16) + "\r\n").utf8) + audio + Array("\r\nzzz\r\n".utf8)),
        ]
        let compressed: [OriginScript.Step] = [
            .request, .head("HTTP/1.1 200 OK", ["Content-Encoding": "gzip"]), .send([0x1f, 0x8b, 8, 0]),
        ]
        func long(_ length: Int, _ body: [UInt8]) -> [OriginScript.Step] {
            [.request, .head("HTTP/1.1 200 OK", ["Content-Length": "\(length)"]), .send(body)]
        }
        // An empty body is requested once more, in case its length of zero is wrong.
        let origin = try ScriptedOrigin(
            [.request] + chunked, compressed, compressed, long(0, []), long(0, []), long(other.count * 2, other),
            live)
        let heard = try await StationRig.listen(to: origin.url()) { [count = origin] heard in
            count.acceptCount == 7 && heard.frames >= 86
        }
        #expect(heard.failures.map(\.failureClass) == [.dropped, .noAudio, .noAudio, .dropped])
        // The compressed body is requested once more, then decoded, and the next connection is as usual.
        #expect(origin.requests.map { $0.header("Accept-Encoding") } == [nil, nil, "identity", nil, nil, nil, nil])
        // The gap lists the failure, and how often it occurred.
        let tried = try #require(heard.gaps.first?.tried)
        #expect(tried.count == 1 && tried[0].hasPrefix("no-audio: ") && tried[0].hasSuffix("(2 times)"), "\(tried)")
    }

    @Test("A17: A server that compresses unless it is asked not to is received") func unaskedCompression() async throws
    {
        let origin = try ScriptedOrigin(
            [.request, .head("HTTP/1.1 200 OK", ["Content-Encoding": "gzip"]), .send([0x1f, 0x8b, 8, 0])], live)
        let heard = try await StationRig.listen(to: origin.url()) { $0.frames >= 28 }
        #expect(heard.failures.isEmpty)
        #expect(origin.requests.map { $0.header("Accept-Encoding") } == [nil, "identity"])
    }

    @Test("Bytes of no known format are not taken for audio") func unknownBytes() async throws {
        var random = SplitMix64(seed: 7)
        let junk = random.bytes(40_000).map { $0 == 0xFF ? 0x7E : $0 }
        let origin = try ScriptedOrigin(
            [.request, .head("HTTP/1.0 200 OK", ["Content-Type": "audio/x-radio"]), .send(junk)])
        let heard = try await StationRig.listen(to: origin.url()) { !$0.failures.isEmpty }
        #expect(heard.failures.first?.failureClass == .notAudio)
    }

    @Test("A server that accepts a request and sends no answer is left for the next mirror")
    func silentServer() async throws {
        let silent = try ScriptedOrigin([.request, .stall(Gate())])
        let good = try ScriptedOrigin(live)
        let heard = try await StationRig.listen(
            to: silent.url(), good.url(), change: { $0.limits.head = .milliseconds(300) }, until: { $0.frames >= 28 })
        #expect(heard.failures.map(\.failureClass) == [.noAudio])
        #expect(heard.failures.first?.message.contains("accepted the connection but sent no answer") == true)
    }

    @Test("A server that sends a head without a body is left for the next mirror") func headWithoutBody() async throws {
        let silent = try ScriptedOrigin([.request, .icyHead(), .stall(Gate())])
        let good = try ScriptedOrigin(live)
        let heard = try await StationRig.listen(
            to: silent.url(), good.url(), change: { $0.limits.firstByte = .milliseconds(300) },
            until: { $0.frames >= 28 })
        #expect(heard.failures.map(\.failureClass) == [.noAudio])
    }

    @Test("A server that sends data without frames is left for the next mirror") func framelessBody() async throws {
        let zeros = [UInt8](repeating: 0, count: 60_000)
        let junk = try ScriptedOrigin([.request, .icyHead(), .pace(zeros, bytesPerSecond: 10_000), .stall(Gate())])
        let good = try ScriptedOrigin(live)
        let heard = try await StationRig.listen(
            to: junk.url(), good.url(), change: { $0.limits.firstFrame = .milliseconds(300) },
            until: { $0.frames >= 28 })
        #expect(heard.failures.map(\.failureClass) == [.noAudio])
        #expect(heard.failures.first?.message.contains("sent data but no audio") == true)
    }

    @Test("Giving up is reported once, with its cause") func givingUp() async throws {
        let origin = try ScriptedOrigin([.request, .failure(401, "Unauthorized")])
        let heard = try await StationRig.listen(toEndOf: origin.url(), change: { $0.giveUp = .seconds(2) })
        // An address whose failure only a person can resolve is not tried again within these two seconds.
        #expect(origin.acceptCount == 1)
        #expect(heard.failure?.failureClass == .unauthorized)
        // The failure is reported at the end only, because no other try was due.
        #expect(heard.failures.isEmpty)
    }

    @Test("A server's page at its root is passed over for the stream behind it") func pageAtRoot() async throws {
        let page = "<html><head><title>SHOUTcast Administrator</title></head><body>…</body></html>"
        let origin = try ScriptedOrigin(connections: [
            [.request, .byPath(["/": [.text(page, type: "text/html")], "/;": Array(live.dropFirst())])]
        ])
        let heard = try await StationRig.listen(to: "http://127.0.0.1:\(origin.port)") { $0.frames >= 28 }
        #expect(origin.requests.map(\.target) == ["/", "/;"])
        #expect(heard.failures.isEmpty)
    }

    @Test("A page at the stream's path as well is not taken for audio") func pageAtStreamPath() async throws {
        let page = "<html><head><title>Welcome</title></head><body>Nothing here</body></html>"
        let origin = try ScriptedOrigin([.request, .text(page, type: "text/html")])
        let heard = try await StationRig.listen(to: origin.url("/")) { !$0.failures.isEmpty }
        #expect(heard.failures.first?.failureClass == .notAudio)
        #expect(origin.requests.prefix(2).map(\.target) == ["/", "/;"])
    }

    @Test("The page is reported as the fault if nothing is at the stream's path") func nothingBehindPage() async throws
    {
        let page = "<html><head><title>Welcome</title></head><body>Nothing here</body></html>"
        let origin = try ScriptedOrigin(
            [.request, .text(page, type: "text/html")], [.request, .failure(404, "Not Found")])
        let heard = try await StationRig.listen(to: origin.url("/")) { !$0.failures.isEmpty }
        #expect(heard.failures.first?.failureClass == .notAudio)
        #expect(heard.failures.first?.message == "\(origin.url("/")) is a web page, not audio")
    }
}
