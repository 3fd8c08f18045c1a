// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import EventLoopTesting
import RadioCore
import TestSupport
import TestTools
import Testing

@testable import Stations

/// Fetching lists of items from servers of several kinds.
struct ListFetchTests {
    private static func settings() -> StationSettings { StationSettings(urls: [], userAgent: "Aircheck/test") }

    private func fetch(_ answer: LiveScript.Answer) -> VirtualFetch<ListFetch.Found, Failure> {
        VirtualFetch(LiveScript(answer)) {
            ListFetch("http://a.example/list", Self.settings(), client: $0, reactor: $1, done: $2).cancel
        }
    }

    /// The result of an answer without a content type.
    private func result(_ body: some Sequence<UInt8>) throws -> Result<ListFetch.Found, Failure> {
        try fetch(.response(LiveHead(), body: Array(body))).result()
    }

    private func item(_ number: Int) -> String {
        "<item><title>Episode \(number)</title><guid>urn:test:episode-number-\(number)</guid>"
            + "<enclosure url=\"\(number).mp3\" type=\"audio/mpeg\" length=\"1\"/></item>"
    }

    private func feed(_ items: some Sequence<Int>) -> String {
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>T</title>"
            + items.map(item).joined() + "</channel></rss>"
    }

    @Test("A feed is read, however many packets it arrives in") func wholeFeed() throws {
        let fetch = fetch(.byHand)
        let transfer = try #require(fetch.origin.byHand.first)
        transfer.receiveHead(interval: nil, type: "application/rss+xml", isStation: false)
        for byte in feed(1...2).utf8 { transfer.receive([byte]) }
        transfer.end()
        let found = try fetch.result().get()
        #expect(found.title == "T" && found.items.map(\.title) == ["Episode 1", "Episode 2"])
        #expect(found.items.first?.location == .address("http://a.example/1.mp3"))
        #expect(found.allowsPrivateAddresses)
    }

    @Test("A feed with faults keeps its items, and one that is cut off says so") func damagedFeed() throws {
        let damaged = try result(feed(1...3).replacing("Episode 2", with: "This & that").utf8).get()
        #expect(damaged.items.map(\.title) == ["Episode 1", "This & that", "Episode 3"] && damaged.warning == nil)
        let cut = try result(feed(1...3).utf8.dropLast(60)).get()
        #expect(cut.items.count == 2 && cut.warning == "the feed was cut off")
    }

    @Test("A playlist that begins with blanks and has no type is read") func untypedPlaylist() throws {
        let list = "\n#EXTM3U\n#EXTINF:3,One\na.mp3\n#EXTINF:4,Two\nb.mp3\n"
        #expect(try result(list.utf8).get().items.map(\.title) == ["One", "Two"])
    }

    @Test("A list of 4 MiB is read, and a longer one is not received to its end") func longList() throws {
        let whole = try result(feed(1...40_000).utf8.prefix(4 << 20))
        // The list is cut off inside an element, and so damaged. What counts is that it was read at all.
        #expect(whole.failure?.failureClass == .notAudio || whole.failure == nil, "\(whole)")
        let fetch = fetch(.response(LiveHead(), body: Array(feed(1...50_000).utf8)))
        let failure = try fetch.result().failure
        #expect(failure?.failureClass == .unsupported)
        #expect(failure?.message.contains("too long for a list") == true)
        #expect(fetch.origin.log.bodyBytes < (4 << 20) + 2_000)
    }

    @Test("A feed of very many items is read") func manyItems() throws {
        #expect(try result(feed(1...9_000).utf8).get().items.count == 9_000)
    }

    @Test(
        "A format that cannot be played is named, however long it is",
        arguments: [
            ("RIFF\u{0}\u{1}\u{2}\u{3}WAVEfmt ", "WAV"), ("FORM\u{0}\u{1}\u{2}\u{3}AIFFCOMM", "AIFF"),
            ("caff\u{0}\u{1}\u{0}\u{0}desc", "Core Audio"), ("\u{1A}E\u{DF}\u{A3}\u{9F}B\u{86}\u{81}\u{1}", "WebM"),
            ("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n", "HLS"),
        ], [40, 20_000, 5 << 20])
    func unsupported(format: (head: String, name: String), length: Int) throws {
        let (head, name) = format
        let body = head.unicodeScalars.map { UInt8($0.value) } + [UInt8](repeating: 10, count: length)
        let failure = try #require(try result(body).failure)
        #expect(failure.failureClass == .unsupported && failure.message.contains(name), "\(failure)")
    }

    @Test("A response that is not a list is a failure by its status or its body") func notAList() throws {
        #expect(try fetch(.status(404, "Not Found")).result().failure?.failureClass == .notFound)
        let page = fetch(.text("<!DOCTYPE html><html><body>Hello</body></html>", type: "text/html"))
        #expect(try page.result().failure?.failureClass == .notAudio)
        let empty = fetch(.text(feed([]), type: "text/xml"))
        #expect(try empty.result().failure?.message.hasSuffix("contains no web address of audio") == true)
    }

    @Test("A connection that breaks off is a failure and not half a list") func brokenOff() throws {
        let list = "#EXTM3U\na.mp3\n"
        let short = fetch(.response(LiveHead(200, "OK", ["Content-Length": "1000"]), body: Array(list.utf8)))
        #expect(try short.result().failure?.failureClass == .dropped)
        let reset = fetch(.byHand)
        let transfer = try #require(reset.origin.byHand.first)
        transfer.receiveHead(interval: nil, type: "audio/x-mpegurl", isStation: false)
        transfer.receive(ArraySlice(list.utf8))
        transfer.end(TransferError(.dropped, "connection reset"))
        #expect(try reset.result().failure?.failureClass == .dropped)
    }

    @Test("A server that drips is waited for half a minute at most") func drip() throws {
        let fetch = fetch(.byHand)
        let transfer = try #require(fetch.origin.byHand.first)
        transfer.receiveHead(interval: nil, type: "text/xml", isStation: false)
        for _ in 0..<29 {
            fetch.reactor.advance(by: .seconds(1))
            transfer.receive(ArraySlice("<rss>".utf8))
        }
        #expect(fetch.results.isEmpty)
        fetch.reactor.advance(by: .seconds(1))
        #expect(fetch.results.map { $0.failure?.failureClass } == [.timeout])
        #expect(transfer.isCancelled)
    }

    @Test(
        "A response that only its end shows not to be audio is read to that end",
        arguments: ["<rss>", "<rss version=\"2.0\"><channel></channel></rss>"])
    func shortResponse(body: String) throws {
        let station = VirtualStation.byHand()
        var unread: [UnreadResponse] = []
        station.station.onUnread = { response in
            unread.append(response)
            return true
        }
        let transfer = try station.connection(0)
        transfer.receiveHead(interval: nil, type: "text/xml", isStation: false)
        transfer.receive(ArraySlice(body.utf8))
        transfer.end()
        var results: [Result<ListFetch.Found, Failure>] = []
        let fetch = ListFetch("http://a.example/", of: try #require(unread.first), reactor: station.reactor) {
            results.append($0)
        }
        defer { fetch.cancel() }
        #expect(waitUntil(.seconds(10)) { station.reactor.hasBeenTold })
        station.reactor.settle()
        #expect(results.map { $0.failure?.failureClass } == [.notAudio])
        #expect(unread.count == 1, "it is offered once")
    }

    @Test("No result is reported after a fetch was cancelled") func cancelled() throws {
        let fetch = fetch(.byHand)
        let transfer = try #require(fetch.origin.byHand.first)
        transfer.receiveHead(interval: nil, type: "text/xml", isStation: false)
        transfer.receive(ArraySlice(feed(1...3).utf8))
        transfer.end()
        fetch.cancel()
        #expect(waitUntil(.seconds(10)) { fetch.reactor.hasBeenTold })
        fetch.reactor.settle()
        fetch.reactor.advance(by: .seconds(60))
        #expect(fetch.results.isEmpty)
    }
}
