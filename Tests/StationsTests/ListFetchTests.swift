// SPDX-License-Identifier: MIT

import EventLoop
import RadioCore
import TestSupport
import TestTools
import Testing

@testable import Stations

/// Fetching lists of items from servers of several kinds.
struct ListFetchTests {
    private static func settings() -> StationSettings { StationSettings(urls: [], userAgent: "Aircheck/test") }

    private func fetch(_ steps: OriginScript.Step...) async throws -> (Result<ListFetch.Found, Failure>, ScriptedOrigin)
    {
        let origin = try ScriptedOrigin(OriginScript(connections: [[.request] + steps]))
        let address = origin.url("/list")
        let result = try await FetchRig().result { client, reactor, done in
            ListFetch(address, Self.settings(), client: client, reactor: reactor, done: done)
        }
        return (result, origin)
    }

    private func item(_ number: Int) -> String {
        "<item><title>Episode \(number)</title><guid>urn:test:episode-number-\(number)</guid>"
            + "<enclosure url=\"\(number).mp3\" type=\"audio/mpeg\" length=\"1\"/></item>"
    }

    private func feed(_ items: some Sequence<Int>) -> String {
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>T</title>"
            + items.map(item).joined() + "</channel></rss>"
    }

    @Test("A feed is read, however many packets it arrives in") func wholeFeed() async throws {
        let head = OriginScript.Step.head("HTTP/1.0 200 OK", ["Content-Type": "application/rss+xml"])
        let (result, origin) = try await fetch(head, .drip(Array(feed(1...2).utf8)))
        let found = try result.get()
        #expect(found.title == "T" && found.items.map(\.title) == ["Episode 1", "Episode 2"])
        #expect(found.items.first?.source == .address(origin.url("/1.mp3")))
        #expect(found.allowsPrivateAddresses)
    }

    @Test("The items before the damage in a damaged feed are read") func damagedFeed() async throws {
        let (result, _) = try await fetch(
            .head("HTTP/1.0 200 OK"), .send(Array(feed(1...3).replacing("Episode 3", with: "This & that").utf8)))
        let found = try result.get()
        #expect(found.items.count == 2 && found.damage?.contains("damaged in line 1") == true)
    }

    @Test("A playlist that begins with blanks and has no type is read") func untypedPlaylist() async throws {
        let (result, _) = try await fetch(
            .head("HTTP/1.0 200 OK"), .send(Array("\n#EXTM3U\n#EXTINF:3,One\na.mp3\n#EXTINF:4,Two\nb.mp3\n".utf8)))
        #expect(try result.get().items.map(\.title) == ["One", "Two"])
    }

    @Test("A list of 4 MiB is read, and a longer one is not received to its end") func longList() async throws {
        let long = feed(1...40_000)
        let (whole, _) = try await fetch(.head("HTTP/1.0 200 OK"), .send(Array(long.utf8.prefix(4 << 20))))
        // The list is cut off inside an element, and so damaged. What counts is that it was read at all.
        #expect(whole.failure?.failureClass == .notAudio || whole.failure == nil, "\(whole)")
        let (result, origin) = try await fetch(.head("HTTP/1.0 200 OK"), .flood(Array(feed(1...1_000).utf8)))
        #expect(result.failure?.failureClass == .unsupported)
        #expect(result.failure?.message.contains("too long for a list") == true)
        #expect(origin.sentBytes < 32 << 20)
    }

    @Test("A feed of very many items is read") func manyItems() async throws {
        let (result, _) = try await fetch(.head("HTTP/1.0 200 OK"), .send(Array(feed(1...9_000).utf8)))
        #expect(try result.get().items.count == 9_000)
    }

    @Test("A response that is not a list is a failure by its status or its body") func notAList() async throws {
        #expect(try await fetch(.failure(404, "Not Found")).0.failure?.failureClass == .notFound)
        let page = try await fetch(.text("<!DOCTYPE html><html><body>Hello</body></html>", type: "text/html"))
        #expect(page.0.failure?.failureClass == .notAudio)
        let empty = try await fetch(.text(feed([]), type: "text/xml"))
        #expect(empty.0.failure?.message.hasSuffix("contains no web address of audio") == true)
    }

    @Test("A connection that breaks off is a failure and not half a list") func brokenOff() async throws {
        let head = OriginScript.Step.head("HTTP/1.1 200 OK", ["Content-Length": "1000"])
        let (result, _) = try await fetch(head, .send(Array("#EXTM3U\na.mp3\n".utf8)), .reset)
        #expect(result.failure != nil)
    }

    @Test("A server that drips is waited for half a minute at most") func drip() throws {
        let (client, reactor) = (HandClient(), ManualReactor())
        var results: [Result<ListFetch.Found, Failure>] = []
        let fetch = ListFetch("http://a.example/feed", Self.settings(), client: client, reactor: reactor) {
            results.append($0)
        }
        defer { fetch.cancel() }
        let transfer = try #require(client.transfers.first)
        transfer.receiveHead(interval: nil, type: "text/xml", isStation: false)
        for _ in 0..<29 {
            reactor.advance(by: .seconds(1))
            transfer.receive(ArraySlice("<rss>".utf8))
        }
        #expect(results.isEmpty)
        reactor.advance(by: .seconds(1))
        #expect(results.map { $0.failure?.failureClass } == [.timeout])
        #expect(transfer.isCancelled)
    }

    @Test(
        "A response that only its end shows not to be audio is read to that end",
        arguments: ["<rss>", "<rss version=\"2.0\"><channel></channel></rss>"])
    func shortResponse(body: String) throws {
        let station = HandStation()
        var unread: UnreadResponse?
        station.station.onUnread = { response in
            unread = response
            return true
        }
        let transfer = try #require(station.client.transfers.first)
        transfer.receiveHead(interval: nil, type: "text/xml", isStation: false)
        transfer.receive(ArraySlice(body.utf8))
        transfer.end()
        var results: [Result<ListFetch.Found, Failure>] = []
        let fetch = ListFetch("http://a.example/", of: try #require(unread), reactor: station.reactor) {
            results.append($0)
        }
        defer { fetch.cancel() }
        #expect(waitUntil(.seconds(10)) { station.reactor.hasBeenTold })
        station.reactor.settle()
        #expect(results.map { $0.failure?.failureClass } == [.notAudio])
    }

    @Test("No result is reported after a fetch was cancelled") func cancelled() throws {
        let (client, reactor) = (HandClient(), ManualReactor())
        var count = 0
        let fetch = ListFetch("http://a.example/feed", Self.settings(), client: client, reactor: reactor) { _ in
            count += 1
        }
        let transfer = try #require(client.transfers.first)
        transfer.receiveHead(interval: nil, type: "text/xml", isStation: false)
        transfer.receive(ArraySlice(feed(1...3).utf8))
        transfer.end()
        fetch.cancel()
        #expect(waitUntil(.seconds(10)) { reactor.hasBeenTold })
        reactor.settle()
        reactor.advance(by: .seconds(60))
        #expect(count == 0)
    }
}
