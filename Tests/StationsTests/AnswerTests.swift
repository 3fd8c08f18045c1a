// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import TestSupport
import Testing

@testable import Stations

/// How servers' answers are handled, and when the next try follows, in virtual time.
struct AnswerTests {
    private static let programme = Broadcast([.music(.seconds(200))])

    /// A server that sends the same part of the programme to each connection.
    private static func audio(_ visit: LiveScript.Visit) -> LiveScript.Answer {
        return .stream(LiveStream(programme, lag: visit.time))
    }

    /// Starts a station of as many mirrors as there are scripts.
    private func station(
        _ scripts: LiveScript..., urls: [String] = ["http://a.example/", "http://b.example/"]
    ) -> VirtualStation {
        let hosts = Dictionary(uniqueKeysWithValues: zip(["a.example", "b.example"], scripts))
        let station = VirtualStation(hosts: hosts, urls: Array(urls.prefix(scripts.count))) { $0 = .patient($0.urls) }
        station.startAtOnce()
        return station
    }

    @Test(
        "A5: A station that refuses requests for 20 s is received within 5 s of its return",
        arguments: [403, 404, 410, 429, 500, 503], ["HTTP", "ICY"])
    func refusal(status: Int, version: String) throws {
        let script = LiveScript { visit in
            guard visit.time < .seconds(20) else { return Self.audio(visit) }
            var head = LiveHead(status)
            if version == "ICY" { head.version = version }
            return .response(head)
        }
        let station = station(script, script)
        station.reactor.advance(by: .seconds(26))
        // The next mirror is tried at once.
        #expect(station.requests.prefix(2) == ["a.example/", "b.example/"])
        #expect(station.requestTimes.prefix(2) == [.zero, .zero])
        #expect(try #require(station.firstFrame) <= .seconds(25))
        #expect(!station.heard.hasEnded)
        // The server is not hammered: after the quick tries of the first seconds, there is one try every few seconds.
        #expect(station.requests.count < 30)
    }

    @Test("A8: Redirects in a circle are tried every 5 min, as a failure that needs a person") func redirectCircle() {
        let station = station(LiveScript { _ in .redirect(to: "http://a.example/") })
        station.reactor.advance(by: .seconds(899))
        #expect(Set(station.requestTimes) == [.zero, .seconds(300), .seconds(600)])
        #expect(Set(station.heard.failures.map(\.failureClass)) == [.redirects])
        #expect(!station.heard.hasEnded)
    }

    @Test("A6: A station that needs a password is tried every 5 min and never given up") func passwordNeeded() {
        let station = station(LiveScript(.status(401, "Unauthorized")))
        station.reactor.advance(by: .seconds(3_599))
        #expect(station.requestTimes == (0..<12).map { .seconds(300 * $0) })
        #expect(Set(station.heard.failures.map(\.failureClass)) == [.unauthorized])
        #expect(station.heard.failures.first?.message.contains("user name and password required") == true)
        #expect(!station.heard.hasEnded)
    }

    @Test("A password that is refused is not requested again, but doubted") func passwordRefused() {
        let station = station(LiveScript(.status(401, "Unauthorized")), urls: ["http://anna:secret@a.example/"])
        station.reactor.advance(by: .seconds(1))
        let failure = station.heard.failures.first
        #expect(failure?.message.contains("the user name or the password was not accepted") == true)
        #expect(failure?.remedy == "check the user name and the password")
    }

    @Test("A6: An address that is gone is left for the next mirror, and tried ever more rarely if it is the only one")
    func gone() {
        let gone = station(LiveScript(.status(410)), LiveScript(answer: Self.audio))
        gone.reactor.advance(by: .seconds(1))
        #expect(gone.requests == ["a.example/", "b.example/"] && gone.requestTimes == [.zero, .zero])
        #expect(gone.heard.failures.map(\.failureClass) == [.gone])
        #expect(gone.heard.failures.first?.message.contains("410 (gone)") == true)

        let alone = station(LiveScript(.status(410)))
        alone.reactor.advance(by: .seconds(600))
        let times = alone.requestTimes
        let waits = zip(times.dropFirst(), times).map { $0 - $1 }
        #expect(waits.first == .zero && waits.dropFirst().first.map { $0 >= .milliseconds(400) } == true)
        #expect(waits.suffix(20).allSatisfy { (.seconds(2)...(.milliseconds(2_800))).contains($0) })
        #expect(!alone.heard.hasEnded)
    }

    @Test(
        "A7: A server is left alone for as long as its Retry-After says, up to 10 min",
        arguments: [
            ("3", Duration.seconds(3)), ("0", .milliseconds(500)), ("31536000", .seconds(600)),
            ("Thu, 01 Jan 2026 00:00:03 GMT", .seconds(3)), ("Fri, 01 Jan 2027 00:00:00 GMT", .seconds(600)),
            ("Wed, 31 Dec 2025 23:59:59 GMT", .zero), ("soon", .zero), ("-3", .zero), ("3.5", .zero),
        ])
    func retryAfter(value: String, wait: Duration) {
        let station = station(LiveScript(.status(503, "Busy", ["Retry-After": value])))
        station.reactor.advance(by: .seconds(700))
        #expect(station.requestTimes.dropFirst().first == wait)
    }

    @Test("A7: A mirror that says Retry-After delays no other mirror") func retryAfterMirror() {
        let station = station(
            LiveScript(.status(429, "Too Many", ["Retry-After": "600"])), LiveScript(answer: Self.audio))
        station.reactor.advance(by: .seconds(1))
        #expect(station.firstFrame == .zero)
    }

    @Test(
        "A13: A certificate that becomes valid is noticed within 5 min",
        arguments: [
            TransferError.Code.certificateExpired, .certificateNotYetValid, .certificateWrongHost,
            .certificateUntrusted,
        ])
    func certificateRecovery(code: TransferError.Code) throws {
        let script = LiveScript { visit in
            visit.time < .seconds(1_000) ? .failure(TransferError(code, "no")) : Self.audio(visit)
        }
        let station = station(script, urls: ["https://a.example/"])
        station.reactor.advance(by: .seconds(1_320))
        #expect(Set(station.heard.failures.map(\.failureClass)) == [.certificate])
        let firstFrame = try #require(station.firstFrame)
        #expect(firstFrame <= .seconds(1_300))
        #expect(station.requestTimes.count { $0 <= firstFrame } == 5)
    }

    @Test("E2: A certificate that is not valid yet is checked again when the clock is set")
    func certificateAfterClockStep() {
        let script = LiveScript { visit in
            visit.time < .seconds(20) ? .failure(TransferError(.certificateNotYetValid, "no")) : Self.audio(visit)
        }
        let station = station(script, urls: ["https://a.example/"])
        station.reactor.advance(by: .seconds(30))
        #expect(station.requestTimes.count == 1)
        station.station.clockStepped()
        station.reactor.advance(by: .seconds(1))
        #expect(station.requestTimes.last == .seconds(30) && station.firstFrame != nil)
    }

    @Test("A13: Each TLS fault has its own remedy") func tlsRemedies() {
        let codes: [TransferError.Code] = [
            .certificateExpired, .certificateNotYetValid, .certificateWrongHost, .certificateUntrusted, .tlsHandshake,
            .connectTimeout,
        ]
        let failures = codes.map { Failure(TransferError($0, "x")) }
        #expect(Set(failures.map(\.remedy)).count == codes.count)
        #expect(
            failures.map(\.failureClass) == [.certificate, .certificate, .certificate, .certificate, .tls, .timeout])
    }

    @Test("Every failure class that a server can cause has a remedy of one line") func remedies() {
        let statuses = [400, 401, 403, 404, 407, 410, 429, 451, 500, 503]
        let answers = statuses.compactMap { status in
            ResponseClassifier.failure(
                ResponseHead(status: status, finalURL: ""), on: "http://a.example/",
                wall: WallInstant(nanoseconds: 0))
        }
        let transfers = [
            TransferError.Code.unknownHost, .refused, .unreachable, .connectTimeout, .headTimeout, .dropped, .truncated,
            .tlsHandshake, .certificateExpired, .tooManyRedirects, .schemeNotAllowed, .addressForbidden, .headTooLarge,
            .protocolViolation, .speaksTLS, .compressed, .resources, .aborted, .badURL, .badHeader, .badCAFile,
        ].map { Failure(TransferError($0, "what failed")) }
        for failure in answers + transfers {
            #expect(!failure.remedy.isEmpty && !failure.remedy.contains("\n"))
            #expect(failure.description.hasSuffix(" [\(failure.failureClass.rawValue)]"))
            #expect(failure.entry == "\(failure.failureClass.rawValue): \(failure.message); \(failure.remedy)")
        }
    }
}
