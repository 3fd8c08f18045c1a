// SPDX-License-Identifier: MIT

import CurlClient
import Instants
import RadioCore
import RadioFormats
import Testing

@testable import Stations

/// How an address is requested, and requested again in another way.
struct RequestPlanTests {
    private static let wall = WallInstant(nanoseconds: 0)

    private static func plan(_ url: String) -> RequestPlan {
        RequestPlan(Upstream.Target(url: url), .patient([url]))
    }

    @Test("Compression is refused once, and from then on in each request") func compression() {
        var plan = Self.plan("http://radio.test/live")
        #expect(!plan.request([]).refusesCompression)
        let answers = [plan.refuseCompression(), plan.refuseCompression()]
        #expect(answers == [true, false])
        #expect(plan.request([]).refusesCompression && plan.request([]).decodesContent)
    }

    @Test("A part of a file that was not requested is a failure, unless it begins the file") func unaskedPart() {
        func failure(_ status: Int, _ range: String?) -> Failure? {
            let fields = range.map { [("content-range", $0)] } ?? []
            return Self.plan("http://radio.test/a.mp3").failure(
                ResponseHead(status: status, fields: fields, finalURL: "http://radio.test/a.mp3"), Self.wall)
        }
        #expect(failure(206, "bytes 100000-199999/200000")?.message.contains("from byte 100000 on") == true)
        for range in [nil, "bytes 0-199999/200000", "bytes */200000", "bytes x"] { #expect(failure(206, range) == nil) }
        #expect(failure(200, "bytes 100000-199999/200000") == nil)
    }

    @Test("A podcast feed is named, with what to do with it") func feed() {
        let failure = Failure(.unsupported("a podcast feed"), at: "http://radio.test/feed.xml")
        #expect(failure.message == "http://radio.test/feed.xml is a podcast feed, not a station")
        #expect(failure.remedy.contains("aircheck play"))
    }

    @Test("The stream behind a page is looked for once, and if it is missing the page is the failure") func behindPage()
    {
        var plan = Self.plan("http://radio.test:8000/")
        let missing = ResponseHead(status: 404, fields: [], finalURL: "http://radio.test:8000/;")
        #expect(plan.failure(missing, Self.wall)?.failureClass == .notFound)
        let answers = [plan.goBehindPage(nil), plan.goBehindPage(nil)]
        #expect(answers == [true, false])
        #expect(plan.request([]).url == "http://radio.test:8000/;")
        let failure = plan.failure(missing, Self.wall)
        #expect(failure?.failureClass == .notAudio && failure?.message.contains("http://radio.test:8000/ ") == true)
    }

    @Test(
        "A30: Only SHOUTcast's pages have a stream behind them, which is that of the station on the page",
        arguments: [
            ("/", "/;"), ("", "/;"), ("/index.html", "/;"), ("/index.html?sid=2", "/stream/2/"),
            ("/?sid=3", "/stream/3/"),
            ("/home.html?a=b&SID=10", "/stream/10/"), ("/listen.html", nil), ("/?id=2", nil), ("/index.html?a=b", nil),
            ("/page?sid=83fa1", nil), ("/page?sid=20261128", nil), ("/page?sid=0", nil), ("/page?sid=", nil),
        ])
    func pages(page: String, stream: String?) {
        var plan = Self.plan("http://radio.test:8000\(page)")
        let answer = plan.goBehindPage(nil)
        #expect(answer == (stream != nil))
        #expect(plan.request([]).url == "http://radio.test:8000\(stream ?? page)")
    }

    @Test("A30: The page may be where a redirect led, whose server gets no secrets") func redirectedPage() {
        var settings = StationSettings.patient(["http://radio.test/go"])
        settings.headers = [.init(name: "X-Key", value: "secret")]
        var plan = RequestPlan(Upstream.Target(url: "http://radio.test/go"), settings)
        var page = ResponseHead(
            status: 200, finalURL: "http://other.test:8000/index.html",
            effectiveURL: "http://other.test:8000/index.html?sid=2", redirects: 1)
        #expect(plan.place(page) == "http://other.test:8000/index.html (where http://radio.test/go leads)")
        let answer = plan.goBehindPage(page)
        let request = plan.request([])
        #expect(answer && request.url == "http://other.test:8000/stream/2/")
        #expect(request.headers.isEmpty && !request.allowsPrivateAddress)
        page.status = 404
        #expect(plan.failure(page, Self.wall)?.failureClass == .notAudio)
    }

    @Test("A30: A refusal names the end that refused, and what may help") func namedEnd() {
        let plan = Self.plan("http://radio.test/go")
        var head = ResponseHead(status: 403, finalURL: "http://other.test/live", redirects: 2)
        let refused = plan.failure(head, Self.wall)
        #expect(refused?.message.contains("http://other.test/live (where http://radio.test/go leads)") == true)
        #expect(refused?.setting == .userAgent)
        head.status = 400
        #expect(plan.failure(head, Self.wall)?.remedy.contains("https://") == true)
    }

    @Test("Secret headers go to servers that the user named, and a relay's fields go to all") func secretHeaders() {
        var settings = StationSettings.patient(["http://radio.test/"])
        settings.headers = [.init(name: "Authorization", value: "secret")]
        settings.socket = "/run/radio"
        #expect(settings.request(for: "http://radio.test/").socket == "/run/radio")
        var target = Upstream.Target(url: "http://elsewhere.test/")
        target.sendsHeaders = false
        let request = RequestPlan(target, settings).request([.init(name: "Via", value: "1.1 relay")])
        #expect(request.headers.isEmpty && request.socket == nil)
        #expect(request.openHeaders.map(\.0) == [FillerField.name, "Via"])
    }

    @Test("B47: What the user chose takes precedence over what a list or an address asks for")
    func usersChoice() {
        let url = "http://radio.test/live|User-Agent=App%2F7&Referer=http://r.test/&Origin=http://o.test"
        var settings = StationSettings(urls: [url], userAgent: "Aircheck/0.1.0")
        #expect(settings.urls == ["http://radio.test/live"])
        #expect(settings.request(for: settings.urls[0]).userAgent == "App/7")
        settings.userAgent = "Mine/1"
        settings.headers = [.init(name: "referer", value: "http://mine.test/")]
        let request = settings.request(for: settings.urls[0])
        #expect(request.userAgent == "Mine/1" && request.headers.map(\.1) == ["http://mine.test/"])
        #expect(request.openHeaders.map(\.0) == ["Origin"])
    }

    @Test("A request says whether the client has audio of the station already") func newClient() {
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

    @Test("A nonsensical address is the user's mistake unless it was good before or came from a playlist")
    func nonsense() {
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
            playlistAt: 0, entries: [Playlist.Entry(url: "http://radio.test/live")], isPeerPrivate: false, at: Self.now)
        let playlists = blame(wasHeard: false)
        #expect(leadsOn && playlists == .protocol)
    }

    @Test("A28: A station's cookies go with its later requests, also for the rest of a file") func cookies() {
        var addresses = Addresses(["http://radio.test/"])
        func answer(_ cookies: [String], to sent: [String] = []) {
            let head = ResponseHead(status: 200, finalURL: "http://radio.test/", cookies: cookies)
            addresses.memory.keepCookies(of: head, sent: sent)
        }
        answer(["a line"])
        let target = addresses.target(Self.attempt)
        let settings = StationSettings.patient(["http://radio.test/"])
        #expect(RequestPlan(target, settings).request([]).cookies == ["a line"])
        #expect(addresses.settings(settings, reaching: target).cookies == ["a line"])
        // The response to a request without these cookies does not erase them, and a new value replaces an old one.
        let sets = [["a.test\tFALSE\t/\tFALSE\t0\tx\t1"], ["#HttpOnly_a.test\tFALSE\t/\tFALSE\t0\tx\t2"]]
        for cookies in sets { answer(cookies) }
        #expect(addresses.target(Self.attempt).cookies == sets[1] + ["a line"])
        // A cookie that was sent and is gone has been deleted; one that another connection has set anew is kept.
        answer([], to: ["a line"] + sets[0])
        #expect(addresses.target(Self.attempt).cookies == sets[1])
    }

    @Test("An address whose titles were misread is requested without titles, and its head is not believed")
    func misread() {
        var addresses = Addresses(["http://radio.test/"])
        #expect(addresses.target(Self.attempt).wantsMetadata)
        let failure = addresses.learn(
            from: .misread(.titlesMisread(at: "it")), Self.attempt, wasHeard: false, Self.now)
        #expect(failure?.failureClass == .protocol)
        let target = addresses.target(Self.attempt)
        #expect(!target.wantsMetadata && !target.believesHead)
    }
}
