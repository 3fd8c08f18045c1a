// SPDX-License-Identifier: MIT

import CurlClient
import Instants
import RadioCore
import RadioFormats
import TestSupport
import Testing

@testable import Stations

/// What a response head means, without a connection.
struct ResponseTests {
    private let wall = WallInstant(nanoseconds: 0)

    @Test(
        "Each status has its failure class",
        arguments: [
            (200, nil), (201, nil), (203, nil), (206, nil), (299, nil), (205, .http), (401, Failure.Class.unauthorized),
            (407, .unauthorized), (403, .forbidden),
            (404, .notFound), (410, .gone), (429, .serverBusy), (500, .serverBusy), (503, .serverBusy),
            (599, .serverBusy),
            (204, .http), (302, .http), (400, .http), (418, .http), (600, .http),
        ])
    func statuses(status: Int, expected: Failure.Class?) {
        let failure = ResponseClassifier.failure(Self.head(status), on: "http://a.example/", wall: wall)
        #expect(failure?.failureClass == expected)
        if let failure { #expect(failure.message.contains("\(status)") && !failure.remedy.isEmpty) }
    }

    @Test(
        "A7: A Retry-After is obeyed up to ten minutes, and an invalid one is ignored",
        arguments: [
            ("3", Duration.seconds(3)), ("0", .zero), ("31536000", .seconds(600)), ("99999999999999999999", nil),
            ("-3", nil), ("+3", nil), ("3.5", nil), ("soon", nil), ("", nil),
            // The wall clock is at the beginning of 1970 here.
            ("Thu, 01 Jan 1970 00:00:03 GMT", .seconds(3)), ("Thursday, 01-Jan-70 00:00:03 GMT", .seconds(3)),
            ("Thu Jan  1 00:00:03 1970", .seconds(3)), ("Fri, 31 Dec 2027 23:59:59 GMT", .seconds(600)),
            ("Wed, 31 Dec 1969 23:59:59 GMT", nil), ("Thu, 01 Jan 1970 00:00:00 GMT", nil),
            ("Thu, 31 Feb 2027 00:00:00 GMT", nil), ("Thu, 01 Foo 2027 00:00:00 GMT", nil),
            ("Thu, 01 Jan 99999999999999999999 00:00:00 GMT", nil), ("Thu, 01 Jan 2027 00:00 GMT", nil),
        ])
    func retryAfter(value: String, expected: Duration?) {
        let head = Self.head(503, ["retry-after": value])
        #expect(ResponseClassifier.failure(head, on: "x", wall: wall)?.retryAfter == expected)
    }

    @Test("A30: A refusal names the remedy: the other scheme, where that may help, or another user agent")
    func remedies() {
        func failure(_ status: Int, at url: String) -> Failure? {
            var head = Self.head(status)
            head.effectiveURL = url
            return ResponseClassifier.failure(head, on: "x", wall: wall)
        }
        #expect(failure(400, at: "HTTP://a.example/")?.remedy.contains("https://") == true)
        #expect(failure(400, at: "https://a.example/")?.remedy.contains("https://") == false)
        #expect(failure(403, at: "http://a.example/")?.setting == .userAgent)
        #expect(failure(404, at: "http://a.example/")?.setting == nil)
    }

    @Test("A7: A Retry-After date is measured by the server's own clock if that is known") func retryAfterDate() {
        let head = Self.head(
            503, ["date": "Fri, 31 Dec 2027 23:59:50 GMT", "retry-after": "Sat, 01 Jan 2028 00:00:00 GMT"])
        #expect(ResponseClassifier.failure(head, on: "x", wall: wall)?.retryAfter == .seconds(10))
    }

    @Test("F16: Status 508 of a relay is reported as a loop of relays") func relayLoop() throws {
        let failure = try #require(ResponseClassifier.failure(Self.head(508), on: "http://a.example/", wall: wall))
        #expect(failure.failureClass == .serverBusy)
        #expect(failure.message == "the server answered 508 (a loop of relays) for http://a.example/")
        #expect(failure.remedy.contains("another address"))
    }

    @Test(
        "A4: The reason phrase tells a full SHOUTcast server from one that needs a password",
        arguments: [
            (400, "Server Full", Failure.Class.serverBusy), (401, "Service Unavailable", .serverBusy),
            (401, "Unauthorized", .unauthorized), (400, "Bad Request", .http), (403, "Server Full", .forbidden),
        ])
    func fullServer(status: Int, reason: String, expected: Failure.Class) {
        var head = Self.head(status)
        head.isICY = true
        head.reason = reason
        #expect(ResponseClassifier.failure(head, on: "x", wall: wall)?.failureClass == expected)
    }

    @Test("C10: The texts that a server sends about its status, itself and the station are limited in bytes")
    func heapsOfAccents() throws {
        let heap = "a" + String(repeating: "\u{301}", count: 7_000)
        var head = Self.head(418, ["icy-name": heap, "icy-genre": heap, "server": heap, "content-type": heap])
        head.reason = heap
        let failure = try #require(ResponseClassifier.failure(head, on: "x", wall: wall))
        #expect(failure.message.utf8.count < 200)
        let info = StationInfo(head, url: "http://a.example/", settings: .patient(["http://a.example/"]))
        #expect(info.name.utf8.count <= 300)
        for text in [info.genre, info.server, info.contentType] {
            #expect(try #require(text).utf8.count <= TitleText.longest)
        }
    }

    @Test("The reason phrase of a server loses its control characters and its excess length") func harmlessReason() {
        var head = Self.head(418)
        head.reason = "I'm\u{1B}[2J a\r\n teapot" + String(repeating: "!", count: 1_000)
        let message = ResponseClassifier.failure(head, on: "x", wall: wall)?.message ?? ""
        #expect(message.hasPrefix("the server answered 418 (I'm[2J a teapot!!"))
        #expect(message.count < 120 && !message.unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test(
        "A declared bit rate is accepted within plausible limits",
        arguments: [
            ("128", 128), ("128,128", 128), ("0", nil), ("100001", nil), ("9223372036854775807", nil), ("many", nil),
        ])
    func bitRate(value: String, expected: Int?) {
        let settings = StationSettings(urls: ["http://a.example/"], userAgent: "test")
        let info = StationInfo(Self.head(200, ["icy-br": value]), url: "http://a.example/", settings: settings)
        #expect(info.declaredBitRate == expected)
    }

    @Test("A length and range support make a file of a response, and a trace of ICY makes a station")
    func fileOrStation() {
        let file: KeyValuePairs = ["content-length": "1000", "accept-ranges": "bytes"]
        #expect(ResponseClassifier.kind(Self.head(200, file)) == .finite)
        #expect(ResponseClassifier.kind(Self.head(200, ["content-length": "1000"])) == .live)
        #expect(ResponseClassifier.kind(Self.head(200, ["accept-ranges": "bytes"])) == .live)
        for length in ["0", "-1", "many", "99999999999999999999"] {
            let head = Self.head(200, ["content-length": length, "accept-ranges": "bytes"])
            #expect(ResponseClassifier.kind(head) == .live, "\(length)")
        }
        let icy: KeyValuePairs = ["content-length": "1000", "accept-ranges": "bytes", "icy-name": "Nova"]
        #expect(ResponseClassifier.kind(Self.head(200, icy)) == .live)
        var shoutcast = Self.head(200, file)
        shoutcast.isICY = true
        #expect(ResponseClassifier.kind(shoutcast) == .live)
    }

    @Test("The station's description is read from the response head, without control characters") func stationInfo() {
        let head = Self.head(
            200,
            [
                "icy-name": "Nova\u{1B}[2J", "icy-br": "128,128", "icy-genre": "", "icy-metaint": "16000",
                "ice-audio-info": "ice-samplerate=44100", "server": "Icecast 2.4.4\u{7}",
                "icy-url": "http://nova.example",
                "content-type": "audio/mpeg",
            ])
        let info = StationInfo(head, url: "http://user:secret@a.example/live?key=1", settings: .patient(["x"]))
        #expect(info.name == "Nova[2J" && info.genre == nil && info.declaredBitRate == 128)
        #expect(info.metadataInterval == 16_000 && info.server == "Icecast 2.4.4")
        #expect(
            info.icyFields.map(\.name) == [
                "icy-name", "icy-br", "icy-genre", "icy-metaint", "ice-audio-info", "icy-url",
            ])
        let nameless = StationInfo(
            Self.head(200), url: "http://user:secret@a.example/live?key=1", settings: .patient(["x"]))
        #expect(nameless.name.contains("a.example"))
        #expect(!nameless.name.contains("secret") && !nameless.name.contains("key"))
    }

    private static func head(_ status: Int, _ fields: KeyValuePairs<String, String> = [:]) -> ResponseHead {
        ResponseHead(status: status, fields: fields.map { ($0.key, $0.value) }, finalURL: "http://a.example/live")
    }
}
