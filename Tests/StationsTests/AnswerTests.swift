// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Instants
import RadioCore
import TestSupport
import Testing

@testable import Stations

/// How servers' answers are handled, and when the next try follows, in virtual time.
struct AnswerTests {
    private static let programme = SampleProgramme(2_000)

    @Test(arguments: [403, 404, 410, 429, 500, 503], ["HTTP", "ICY"])
    func `A5: a station that refuses for 20 s is back within 5 s`(status: Int, version: String) throws {
        let station = VirtualStation("http://a.example/", "http://b.example/") { _, time in
            time < .seconds(20) ? .status(status) : .audio(Self.programme)
        }
        station.reactor.advance(by: .seconds(26))
        // The next mirror is tried at once.
        #expect(station.client.calls.prefix(2).map(\.url) == ["http://a.example/", "http://b.example/"])
        #expect(station.callTimes.prefix(2) == [.zero, .zero])
        #expect(try #require(station.firstFrame) <= .seconds(25))
        #expect(!station.heard.hasEnded)
        // No hammering: after the quick tries of the first seconds, one try every few seconds.
        #expect(station.client.calls.count < 30)
    }

    @Test func `A6: what needs a password is asked for one, at most every 5 min, and never given up`() {
        let station = VirtualStation("http://a.example/") { _, _ in .status(401, reason: "Unauthorized") }
        station.reactor.advance(by: .seconds(3_599))
        #expect(station.callTimes == (0..<12).map { .seconds(300 * $0) })
        #expect(Set(station.heard.failures.map(\.failureClass)) == [.unauthorized])
        #expect(station.heard.failures.first?.message.contains("user name and password wanted") == true)
        #expect(!station.heard.hasEnded)
    }

    @Test func `A6: what is gone is tried at the next mirror, then ever more rarely`() {
        let gone = VirtualStation("http://a.example/", "http://b.example/") { request, _ in
            request.url == "http://a.example/" ? .status(410) : .audio(Self.programme)
        }
        gone.reactor.advance(by: .seconds(1))
        #expect(gone.client.calls.map(\.url) == ["http://a.example/", "http://b.example/"])
        #expect(gone.callTimes == [.zero, .zero])
        #expect(gone.heard.failures.map(\.failureClass) == [.gone])
        #expect(gone.heard.failures.first?.message.contains("410 (gone)") == true)

        let alone = VirtualStation("http://a.example/") { _, _ in .status(410) }
        alone.reactor.advance(by: .seconds(600))
        let times = alone.callTimes
        let waits = zip(times.dropFirst(), times).map { $0 - $1 }
        #expect(waits.first == .zero)
        #expect(waits.dropFirst().first.map { $0 >= .milliseconds(400) } == true)
        #expect(waits.suffix(20).allSatisfy { (.seconds(2)...(.milliseconds(2_800))).contains($0) })
        #expect(!alone.heard.hasEnded)
    }

    @Test(arguments: [
        ("3", Duration.seconds(3)), ("0", .milliseconds(500)), ("31536000", .seconds(600)),
        ("Thu, 01 Jan 2026 00:00:03 GMT", .seconds(3)), ("Fri, 01 Jan 2027 00:00:00 GMT", .seconds(600)),
        ("Wed, 31 Dec 2025 23:59:59 GMT", .zero), ("soon", .zero), ("-3", .zero), ("3.5", .zero),
    ])
    func `A7: a server is left alone for as long as it asks, within reason`(value: String, wait: Duration) {
        let station = VirtualStation("http://a.example/") { _, _ in .status(503, fields: [("retry-after", value)]) }
        station.reactor.advance(by: .seconds(700))
        #expect(station.callTimes.dropFirst().first == wait)
    }

    @Test func `A7: a server that wants to be left alone holds up no mirror`() {
        let station = VirtualStation("http://a.example/", "http://b.example/") { request, _ in
            request.url == "http://a.example/"
                ? .status(429, fields: [("retry-after", "600")]) : .audio(Self.programme)
        }
        station.reactor.advance(by: .seconds(1))
        // The framer holds each frame until the next one, and frames are 20 ms apart.
        #expect(station.firstFrame == .milliseconds(40))
    }

    @Test(arguments: [
        TransferError.Code.certificateExpired, .certificateNotYetValid, .certificateWrongHost, .certificateUntrusted,
    ])
    func `A13: a certificate that becomes valid is noticed within 5 min`(code: TransferError.Code) throws {
        let station = VirtualStation("https://a.example/") { _, time in
            time < .seconds(1_000) ? .failure(TransferError(code, "no")) : .audio(Self.programme)
        }
        station.reactor.advance(by: .seconds(1_320))
        #expect(Set(station.heard.failures.map(\.failureClass)) == [.certificate])
        let firstFrame = try #require(station.firstFrame)
        #expect(firstFrame <= .seconds(1_300))
        #expect(station.callTimes.count { $0 <= firstFrame } == 5)
    }

    @Test func `E2: a certificate that is not valid yet is looked at again when the clock is set`() {
        let station = VirtualStation("https://a.example/") { _, time in
            time < .seconds(20) ? .failure(TransferError(.certificateNotYetValid, "no")) : .audio(Self.programme)
        }
        station.reactor.advance(by: .seconds(30))
        #expect(station.callTimes.count == 1)
        station.station.clockStepped()
        station.reactor.advance(by: .seconds(1))
        #expect(station.callTimes.last == .seconds(30) && station.firstFrame != nil)
    }

    @Test func `A13: each thing that is wrong with TLS has its own remedy`() {
        let codes: [TransferError.Code] = [
            .certificateExpired, .certificateNotYetValid, .certificateWrongHost, .certificateUntrusted, .tlsHandshake,
            .connectTimeout,
        ]
        let failures = codes.map { Failure(TransferError($0, "x")) }
        #expect(Set(failures.map(\.remedy)).count == codes.count)
        #expect(
            failures.map(\.failureClass) == [.certificate, .certificate, .certificate, .certificate, .tls, .timeout])
    }

    @Test func `every class that a server can cause has a remedy of one line`() {
        let statuses = [400, 401, 403, 404, 407, 410, 429, 451, 500, 503]
        let answers = statuses.compactMap { status in
            ResponseClassifier.failure(
                ResponseHead(status: status, finalURL: ""), on: "http://a.example/",
                wall: WallInstant(nanoseconds: 0))
        }
        let transfers = [
            TransferError.Code.unknownHost, .refused, .unreachable, .connectTimeout, .headTimeout, .dropped, .truncated,
            .tlsHandshake, .certificateExpired, .tooManyRedirects, .schemeNotAllowed, .addressForbidden, .headTooLarge,
            .protocolViolation, .compressed, .resources, .aborted, .badURL, .badHeader, .badCAFile,
        ].map { Failure(TransferError($0, "what failed")) }
        for failure in answers + transfers {
            #expect(!failure.remedy.isEmpty && !failure.remedy.contains("\n"))
            #expect(failure.description.hasSuffix(" [\(failure.failureClass.rawValue)]"))
            #expect(failure.entry == "\(failure.failureClass.rawValue): \(failure.message); \(failure.remedy)")
        }
    }
}
