// SPDX-License-Identifier: MIT

import CurlClient
import Instants
import RadioCore
import Testing

@testable import Stations

/// How an address is requested, and requested again in another way.
struct RequestPlanTests {
    private static let wall = WallInstant(nanoseconds: 0)

    private static func plan(_ url: String) -> RequestPlan {
        RequestPlan(Upstream.Target(url: url), .patient([url]))
    }

    @Test func `compression is refused once, and then in each request`() {
        var plan = Self.plan("http://radio.test/live")
        #expect(!plan.request([]).refusesCompression)
        let answers = [plan.refuseCompression(), plan.refuseCompression()]
        #expect(answers == [true, false])
        #expect(plan.request([]).refusesCompression)
    }

    @Test func `behind a page the stream is looked for once, and where it is missing the page is the failure`() {
        var plan = Self.plan("http://radio.test:8000/")
        let missing = ResponseHead(status: 404, fields: [], finalURL: "http://radio.test:8000/;")
        #expect(plan.failure(missing, Self.wall)?.failureClass == .notFound)
        let answers = [plan.goBehindPage(), plan.goBehindPage()]
        #expect(answers == [true, false])
        #expect(plan.request([]).url == "http://radio.test:8000/;")
        let failure = plan.failure(missing, Self.wall)
        #expect(failure?.failureClass == .notAudio && failure?.message.contains("http://radio.test:8000/ ") == true)
    }

    @Test func `only the root of a server has a stream behind its page`() {
        var plan = Self.plan("http://radio.test/listen.html")
        let answer = plan.goBehindPage()
        #expect(!answer && plan.request([]).url == "http://radio.test/listen.html")
    }

    @Test func `secret fields go to servers that the user has named, a relay's words to all`() {
        var settings = StationSettings.patient(["http://radio.test/"])
        settings.headers = [.init(name: "Authorization", value: "secret")]
        var target = Upstream.Target(url: "http://elsewhere.test/")
        target.sendsHeaders = false
        let request = RequestPlan(target, settings).request([.init(name: "Via", value: "1.1 relay")])
        #expect(request.headers.isEmpty)
        #expect(request.openHeaders.map(\.0) == [FillerField.name, "Via"])
    }

    @Test func `a client says whether it has audio of the station already`() {
        var target = Upstream.Target(url: "http://radio.test/")
        func value() -> String? { RequestPlan(target, .patient([target.url])).request([]).openHeaders.first?.1 }
        #expect(value() == "none")
        target.isNew = true
        #expect(value() == "none; new" && FillerField(value())?.isNew == true)
        #expect(FillerField("NONE")?.isNew == false && FillerField("None ;x; NEW")?.isNew == true)
        for other in [nil, "", "new", "some", "; new", "none new"] { #expect(FillerField(other) == nil) }
    }
}

/// What is learned about addresses.
struct AddressesTests {
    private static let now = MonotonicInstant(nanoseconds: 0)
    private static let attempt = ConnectionMachine.Attempt(number: 1, mirror: 0, viaLastFinalURL: false)
    private static let wrong = Failure(.usage, "the address makes no sense", remedy: "check it")

    @Test func `an address that makes no sense is the user's mistake, unless it was good once or came in a playlist`() {
        var addresses = Addresses(["http://radio.test/list.m3u"])
        func blame(wasHeard: Bool, viaLastFinalURL: Bool = false) -> Failure.Class? {
            var attempt = Self.attempt
            attempt.viaLastFinalURL = viaLastFinalURL
            return addresses.learn(from: .failed(Self.wrong), attempt, wasHeard: wasHeard, Self.now)?.failureClass
        }
        let users = blame(wasHeard: false)
        let others = [blame(wasHeard: true), blame(wasHeard: false, viaLastFinalURL: true)]
        #expect(users == .usage && others == [.protocol, .protocol])
        let leadsOn = addresses.mirrors.follow(
            playlistAt: 0, entries: ["http://radio.test/live"], isPeerPrivate: false, at: Self.now)
        let playlists = blame(wasHeard: false)
        #expect(leadsOn && playlists == .protocol)
    }

    @Test func `where titles are misread, the address is not asked for them again, nor believed`() {
        var addresses = Addresses(["http://radio.test/"])
        #expect(addresses.target(Self.attempt).wantsMetadata)
        let failure = addresses.learn(
            from: .misread(.titlesMisread(at: "it")), Self.attempt, wasHeard: false, Self.now)
        #expect(failure?.failureClass == .protocol)
        let target = addresses.target(Self.attempt)
        #expect(!target.wantsMetadata && !target.believesHead)
    }
}
