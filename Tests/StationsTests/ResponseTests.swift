// SPDX-License-Identifier: MIT

import CurlClient
import Instants
import RadioCore
import TestSupport
import Testing

@testable import Stations

/// What a response head means, without a connection.
struct ResponseTests {
    private let wall = WallInstant(nanoseconds: 0)

    @Test(arguments: [
        (200, nil), (206, nil), (401, Failure.Class.unauthorized), (407, .unauthorized), (403, .forbidden),
        (404, .notFound), (410, .gone), (429, .serverBusy), (500, .serverBusy), (503, .serverBusy), (599, .serverBusy),
        (204, .http), (302, .http), (400, .http), (418, .http), (600, .http),
    ])
    func `each status has its class`(status: Int, expected: Failure.Class?) {
        let failure = ResponseClassifier.failure(Self.head(status), on: "http://a.example/", wall: wall)
        #expect(failure?.failureClass == expected)
        if let failure { #expect(failure.message.contains("\(status)") && !failure.remedy.isEmpty) }
    }

    @Test(arguments: [
        ("3", Duration.seconds(3)), ("0", .zero), ("31536000", .seconds(600)), ("99999999999999999999", nil),
        ("-3", nil), ("soon", nil), ("", nil), ("Fri, 31 Dec 2027 23:59:59 GMT", nil),
    ])
    func `a server's wish to be left alone is heeded within reason`(value: String, expected: Duration?) {
        let head = Self.head(503, ["retry-after": value])
        #expect(ResponseClassifier.failure(head, on: "x", wall: wall)?.retryAfter == expected)
    }

    @Test(arguments: [
        ("128", 128), ("128,128", 128), ("0", nil), ("100001", nil), ("9223372036854775807", nil), ("many", nil),
    ])
    func `a bit rate is believed within reason`(value: String, expected: Int?) {
        let settings = StationSettings(urls: ["http://a.example/"], userAgent: "test")
        let info = StationInfo(Self.head(200, ["icy-br": value]), url: "http://a.example/", settings: settings)
        #expect(info.declaredBitRate == expected)
    }

    @Test func `a length and ranges make a file, a word of ICY a station`() {
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

    @Test func `a station tells of itself in its head, and nothing in it can move a cursor`() {
        let head = Self.head(
            200,
            [
                "icy-name": "Nova\u{1B}[2J", "icy-br": "128,128", "icy-genre": "", "icy-metaint": "16000",
                "ice-audio-info": "ice-samplerate=44100", "server": "Icecast 2.4.4\u{7}",
                "icy-url": "http://nova.example",
                "content-type": "audio/mpeg",
            ])
        let info = StationInfo(head, url: "http://user:secret@a.example/live?key=1", settings: .patient(["x"]))
        #expect(info.name == "Nova[2J")
        #expect(info.genre == nil)
        #expect(info.declaredBitRate == 128)
        #expect(info.metadataInterval == 16_000)
        #expect(info.server == "Icecast 2.4.4")
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
