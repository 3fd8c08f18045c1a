// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import EventLoopTesting
import Instants
import TestSupport
import Testing

/// Events before the body is sent, and events that involve several servers.
struct VirtualNetworkTests {
    static let programme = VirtualOriginTests.programme

    @Test("A server that is gone resets its connections and refuses new ones until it is back")
    func gone() {
        let script = LiveScript(
            .stream(LiveStream(Self.programme)), absences: [.init(.seconds(10), for: .seconds(3), .gone)])
        let rig = VirtualRig(script)
        let first = rig.download(for: .milliseconds(9_990))
        #expect(!first.hasEnded)
        rig.reactor.advance(by: .milliseconds(20))
        #expect(first.error?.code == .dropped)
        #expect(rig.download(for: .seconds(1)).error?.code == .refused)
        rig.reactor.advance(by: .seconds(2))
        let second = rig.download(for: .seconds(1))
        #expect(!second.hasEnded && second.body.count > 65_536)
        #expect(rig.origin.log.accepts.count == 2 && rig.origin.log.refusals.count == 1)
        #expect(rig.origin.log.mostOpen == 1)
    }

    @Test("A server that refuses or resets new connections keeps the existing ones")
    func refusing() {
        let script = LiveScript(
            .stream(LiveStream(Self.programme)),
            absences: [
                .init(.seconds(1), for: .seconds(3), .refusing), .init(.seconds(5), for: .seconds(3), .resetting),
            ])
        let rig = VirtualRig(script)
        let first = rig.download(for: .seconds(2))
        #expect(rig.download(for: .seconds(4)).error?.code == .refused)
        #expect(rig.download(for: .seconds(1)).error?.code == .dropped)
        #expect(!first.hasEnded && rig.origin.log.accepts.count == 2)
    }

    @Test("Redirects are followed to a path or another host, and an unknown host has no address")
    func redirects() throws {
        let rig = VirtualRig(hosts: [
            "one.test": LiveScript { visit in
                visit.target == "/live" ? .redirect(to: "/there?x=1") : .redirect(to: "http://two.test:81/a")
            },
            "two.test:81": LiveScript(.stream(LiveStream(Self.programme))),
            "loop.test": LiveScript(.redirect(to: "/again")),
            "lost.test": LiveScript(.redirect(to: "http://nowhere.test/")),
        ])
        let download = rig.download("http://one.test/live", for: .seconds(1))
        let head = try #require(download.head)
        #expect(head.redirects == 2 && head.effectiveURL == "http://two.test:81/a" && head.status == 200)
        #expect(rig.origin.log.requests.map(\.target) == ["/live", "/there?x=1", "/a"])
        #expect(rig.origin.log.accepts.map(\.host) == ["one.test", "one.test", "two.test:81"])
        #expect(rig.origin.log.open == 1)
        #expect(download.phases.count == 3 * 3 + 1)
        #expect(rig.download("http://loop.test/", for: .seconds(1)).error?.code == .tooManyRedirects)
        #expect(rig.download("http://lost.test/", for: .seconds(1)).error?.code == .unknownHost)
    }

    @Test("A server may answer with any status, type and head, and silence runs into the deadline")
    func answers() throws {
        var stream = LiveStream(Self.programme, fields: ["Content-Type": "text/html"])
        stream.head.version = "ICY"
        let rig = VirtualRig(
            LiveScript(
                .status(403, "Full", ["Retry-After": "3"]), .text("<html>", type: "text/html"), .stream(stream),
                .hangUp,
                .silence))
        let full = rig.download(for: .seconds(1))
        #expect(full.head?.status == 403 && full.head?["retry-after"] == "3" && full.hasEnded && full.error == nil)
        #expect(rig.download(for: .seconds(1)).body == Array("<html>".utf8))
        let lying = try #require(rig.download(for: .seconds(1)).head)
        #expect(lying.isICY && lying["content-type"] == "text/html")
        #expect(rig.download(for: .seconds(1)).error?.code == .dropped)
        let silent = rig.download(for: .seconds(14))
        #expect(!silent.hasEnded && silent.phases.last == .waitingForHead)
        rig.reactor.advance(by: .seconds(2))
        #expect(silent.error?.code == .headTimeout)
    }

    @Test("A test can answer by hand: what it sends arrives at once, except during a pause")
    func byHand() throws {
        let rig = VirtualRig(LiveScript(.byHand))
        let download = rig.download(for: .seconds(60))
        #expect(download.phases == [.resolving, .connecting, .waitingForHead] && download.head == nil)
        let transfer = try #require(rig.origin.byHand.first)
        transfer.receive([1])
        #expect(download.body.isEmpty && !transfer.hasHead)
        transfer.gather(100, isCoalesced: false)
        transfer.receive(LiveHead(206, "Partial Content", ["Content-Length": "3"]))
        transfer.receive([1])
        #expect(download.head?.status == 206 && download.phases.last == .receiving && transfer.hasHead)
        transfer.pause()
        transfer.receive([2])
        #expect(download.body == [1])
        transfer.resume()
        rig.reactor.settle()
        #expect(download.body == [1, 2] && rig.origin.log.deliveries == 2)
        transfer.end(TransferError(.dropped, "it broke off"))
        transfer.receive([3])
        #expect(download.error?.code == .dropped && download.body == [1, 2] && !transfer.isCancelled)
        #expect(rig.origin.log.open == 0 && rig.origin.transfersUnderWay == 0)
    }

    @Test("A connection can fail with any error of curl")
    func failure() {
        let rig = VirtualRig(LiveScript(.failure(TransferError(.certificateExpired, "it has expired"))))
        let download = rig.download(for: .seconds(1))
        #expect(download.error?.code == .certificateExpired && download.head == nil)
        #expect(rig.origin.log.requests.count == 1 && rig.origin.log.open == 0)
    }

    @Test("Phases take the configured time")
    func latency() {
        let rig = VirtualRig(LiveStream(Self.programme))
        rig.origin.resolveLatency = .milliseconds(100)
        rig.origin.connectLatency = .milliseconds(200)
        rig.origin.answerLatency = .milliseconds(300)
        let download = rig.download(for: .milliseconds(99))
        #expect(download.phases == [.resolving])
        rig.reactor.advance(by: .milliseconds(200))
        #expect(download.phases == [.resolving, .connecting])
        rig.reactor.advance(by: .milliseconds(300))
        #expect(download.phases == [.resolving, .connecting, .waitingForHead] && download.head == nil)
        rig.reactor.advance(by: .milliseconds(2))
        #expect(download.phases.last == .receiving && !download.body.isEmpty)
    }

    @Test("A name or server that does not answer runs into the deadline")
    func deadlines() {
        let rig = VirtualRig(LiveStream(Self.programme))
        rig.origin.connectLatency = .seconds(3_600)
        let hole = rig.download(for: .milliseconds(9_999))
        #expect(!hole.hasEnded && hole.phases == [.resolving, .connecting])
        rig.reactor.advance(by: .milliseconds(2))
        #expect(hole.error?.code == .connectTimeout)
        rig.origin.resolveLatency = .seconds(3_600)
        let nameless = rig.download(for: .seconds(11))
        #expect(nameless.error?.code == .connectTimeout && nameless.phases == [.resolving])
        #expect(rig.origin.log.accepts.isEmpty)
    }

    @Test("Edges that are behind or ahead send the same programme, shifted")
    func edges() {
        let behind = LiveStream(Self.programme, burst: 0, lag: .seconds(30))
        let ahead = LiveStream(Self.programme, burst: 0, lag: .seconds(-20))
        let rig = VirtualRig(hosts: ["b.test": LiveScript(.stream(behind)), "a.test": LiveScript(.stream(ahead))])
        let (late, early) = (
            rig.download("http://b.test", for: .seconds(2)), rig.download("http://a.test", for: .seconds(2))
        )
        func isAt(_ time: Duration, _ body: [UInt8]) -> Bool {
            Self.programme.bytes[(Self.programme.edge(at: time) / 1400 * 1400)...].starts(with: body)
        }
        #expect(late.body.count > 30_000 && isAt(.milliseconds(10_006), late.body))
        #expect(early.body.count > 30_000 && isAt(.milliseconds(62_006), early.body))
    }

    @Test("An advert comes first in real time, and then the programme since before the accept at once")
    func advert() throws {
        let advert = Broadcast([.music(.seconds(20))], MPEGShape(sampleRate: 48_000), seed: 9)
        let stream = LiveStream(Self.programme, advert: .init(advert, catchUp: .seconds(4)))
        let download = VirtualRig(stream).download(for: .seconds(30))
        #expect(download.body.starts(with: advert.bytes))
        let rest = download.body.dropFirst(advert.bytes.count)
        let start = Self.programme.edge(at: .seconds(36))
        #expect(start % 384 == 0 && Self.programme.bytes[start...].starts(with: rest))
        #expect(start + rest.count == Self.programme.edge(at: .seconds(70)) / 1400 * 1400)
        var heard = HeardFrames(of: Self.programme)
        for frame in stride(from: rest.startIndex, to: rest.endIndex - 384, by: 384) {
            rest[frame..<(frame + 384)].withUnsafeBytes { heard.add($0) }
        }
        #expect(heard.report.exactStretch?.lowerBound == Self.programme.framesAired(at: .seconds(36)))
    }

    @Test("A server can be ten times as fast as real time for a while")
    func speed() {
        let stream = LiveStream(Self.programme, burst: 0, speed: (10, .seconds(5)))
        let rig = VirtualRig(stream, onAir: .zero)
        let download = rig.download(for: .seconds(5))
        #expect(abs(download.body.count - 50 * 16_000) <= 1_400)
        rig.reactor.advance(by: .seconds(10))
        #expect(abs(download.body.count - 60 * 16_000) <= 1_400)
    }

    @Test("An Ogg stream begins with its header pages and continues with whole pages")
    func ogg() async throws {
        let reference = try await ReferenceProgramme.make(.init(.opus(64), sampleRate: 48_000, seconds: 20))
        let programme = try Broadcast(reference)
        let rig = VirtualRig(LiveStream(programme, burst: 30_000), onAir: .seconds(10))
        let download = rig.download(for: .seconds(12))
        let headers = 2
        let pages = download.body.indices.filter { download.body[$0...].starts(with: Array("OggS".utf8)) }
        #expect(pages.count > 50 && pages[0] == 0)
        #expect(download.body.starts(with: programme.bytes.prefix(pages[headers])))
        #expect(
            programme.bytes.suffix(download.body.count - pages[headers]).elementsEqual(download.body[pages[headers]...])
        )
    }
}
