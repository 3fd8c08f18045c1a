// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import EventLoopTesting
import RadioCore
import RadioFormats
import TestSupport
import Testing

@testable import Stations

/// Requests for some bytes of a file, and what servers answer them.
struct RangeFetchTests {
    private enum Outcome: Equatable {
        case bytes(Int, of: Int64)
        case notFromMiddle, changed
        case failed(Failure.Class)

        init(_ result: Result<RangeFetch.Answer, RangeFetch.Problem>) {
            switch result {
            case .success(let answer): self = .bytes(answer.bytes.count, of: answer.size)
            case .failure(.notFromMiddle): self = .notFromMiddle
            case .failure(.changed): self = .changed
            case .failure(.failed(let failure)): self = .failed(failure.failureClass)
            }
        }
    }

    private func fetch(
        at offset: Int64, _ count: Int, _ script: LiveScript
    ) -> VirtualFetch<RangeFetch.Answer, RangeFetch.Problem> {
        VirtualFetch(script) { client, reactor, done in
            RangeFetch(
                FileRead(offset: offset, count: count),
                StationSettings(urls: ["http://a.example/a.mp3"], userAgent: "Aircheck/test"), validator: "\"v1\"",
                client: client, reactor: reactor, done: done
            ).cancel
        }
    }

    /// The outcome of an answer with this head and this many bytes. `whole`: the status of the answer to a request for
    /// the whole file, which follows a refusal.
    private func outcome(
        at offset: Int64, _ status: Int, _ fields: [(String, String)], bytes: Int = 100, whole: Int? = nil
    ) throws -> [Outcome] {
        let script = LiveScript { visit in
            let asksForPart = offset > 0 && visit.number == 0
            #expect(visit.resumeAt == (asksForPart ? Int(offset) : nil))
            #expect(visit.resumeValidator == (asksForPart ? "\"v1\"" : nil))
            if visit.number > 0, let whole { return .response(LiveHead(whole, "", ["Content-Length": "1000"])) }
            var head = LiveHead(status, "", ["Content-Type": "audio/mpeg"])
            head.fields += fields
            return .response(head, body: [UInt8](repeating: 1, count: bytes))
        }
        let fetch = fetch(at: offset, 100, script)
        #expect(fetch.origin.log.accepts.count == (whole == nil ? 1 : 2))
        return fetch.results.map { Outcome($0) }
    }

    @Test("A part is accepted if it is proven to be the requested one") func provenPart() throws {
        let range = ("content-range", "bytes 300-999/1000")
        #expect(try outcome(at: 300, 206, [range]) == [.bytes(100, of: 1000)])
        #expect(try outcome(at: 300, 206, [range, ("etag", "\"v1\"")], bytes: 700) == [.bytes(100, of: 1000)])
        // The file ends with this part.
        #expect(
            try outcome(at: 950, 206, [("content-range", "bytes 950-999/1000")], bytes: 50) == [.bytes(50, of: 1000)])
        #expect(try outcome(at: 0, 200, [("content-length", "1000")]) == [.bytes(100, of: 1000)])
    }

    @Test("Another part or the whole file is not accepted as the requested part") func otherPart() throws {
        #expect(try outcome(at: 300, 206, [("content-range", "bytes 0-999/1000")]) == [.notFromMiddle])
        #expect(try outcome(at: 300, 206, [("content-range", "bytes 300-999/*")]) == [.notFromMiddle])
        #expect(try outcome(at: 300, 206, [("content-range", "300-999/1000")]) == [.notFromMiddle])
        #expect(try outcome(at: 300, 206, []) == [.notFromMiddle])
        #expect(try outcome(at: 300, 200, [("content-length", "1000")]) == [.notFromMiddle])
        #expect(try outcome(at: 0, 200, []) == [.notFromMiddle])
        #expect(try outcome(at: 0, 200, [("content-length", "1000"), ("icy-name", "Radio")]) == [.notFromMiddle])
        #expect(
            try outcome(at: 300, 206, [("content-range", "bytes 300-999/99999999999999999999")]) == [.notFromMiddle])
    }

    @Test("A part with another tag is a part of another file") func otherTag() throws {
        let range = ("content-range", "bytes 300-999/1000")
        #expect(try outcome(at: 300, 206, [range, ("etag", "\"v2\"")]) == [.changed])
        #expect(try outcome(at: 300, 200, [("content-length", "1000"), ("etag", "\"v2\"")]) == [.changed])
        // A weak tag proves nothing.
        #expect(try outcome(at: 300, 206, [range, ("etag", "W/\"v2\"")]) == [.bytes(100, of: 1000)])
    }

    @Test("If a part is refused but the whole file is not, there are no parts", arguments: [400, 403, 405, 416, 501])
    func refusedPart(status: Int) throws {
        #expect(try outcome(at: 300, status, [], whole: 200) == [.notFromMiddle])
    }

    @Test("A file that ends before the part has changed") func shorterFile() throws {
        #expect(try outcome(at: 300, 416, [("content-range", "bytes */200")]) == [.changed])
    }

    @Test("A failure has the class of its status, and half an answer is a failure, too") func failures() throws {
        #expect(try outcome(at: 300, 404, [], whole: 404) == [.failed(.notFound)])
        #expect(try outcome(at: 0, 404, []) == [.failed(.notFound)])
        #expect(try outcome(at: 300, 503, []) == [.failed(.serverBusy)])
        #expect(try outcome(at: 300, 206, [("content-range", "bytes 300-999/1000")], bytes: 99) == [.failed(.dropped)])
    }

    @Test("A server that drips is waited for ten seconds") func drip() throws {
        let fetch = fetch(at: 0, 100, LiveScript(.byHand))
        let transfer = try #require(fetch.origin.byHand.first)
        transfer.receiveHead(interval: nil, fields: [("content-length", "1000")], isStation: false)
        for _ in 0..<9 {
            fetch.reactor.advance(by: .seconds(1))
            transfer.receive([1])
        }
        #expect(fetch.results.isEmpty)
        fetch.reactor.advance(by: .seconds(1))
        #expect(fetch.results.map { Outcome($0) } == [.failed(.timeout)] && transfer.isCancelled)
    }

    @Test("No result is reported after a fetch was cancelled") func cancelled() throws {
        let fetch = fetch(at: 0, 100, LiveScript(.byHand))
        fetch.cancel()
        fetch.reactor.advance(by: .seconds(20))
        #expect(try fetch.results.isEmpty && #require(fetch.origin.byHand.first).isCancelled)
    }
}
