// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import RadioCore
import RadioFormats
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

    private struct Rig {
        let client = HandClient()
        let reactor = ManualReactor()
        let transfer: HandClient.Transfer
        let fetch: RangeFetch
        let results: Results

        final class Results { var outcomes: [Outcome] = [] }

        init(at offset: Int64, _ count: Int) throws {
            let results = Results()
            self.results = results
            fetch = RangeFetch(
                FileRead(offset: offset, count: count),
                StationSettings(urls: ["http://a.example/a.mp3"], userAgent: "Aircheck/test"), validator: "\"v1\"",
                client: client, reactor: reactor
            ) { results.outcomes.append(Outcome($0)) }
            transfer = try #require(client.transfers.first)
        }
    }

    /// The outcome of an answer with this head and this many bytes.
    private func outcome(
        at offset: Int64, _ status: Int, _ fields: [(String, String)], bytes: Int = 100
    ) throws -> [Outcome] {
        let rig = try Rig(at: offset, 100)
        #expect(rig.transfer.request.resumeAt == (offset > 0 ? offset : nil))
        #expect(rig.transfer.request.resumeValidator == (offset > 0 ? "\"v1\"" : nil))
        rig.transfer.receiveHead(status, interval: nil, fields: fields, isStation: false)
        if !rig.transfer.isCancelled { rig.transfer.receive(ArraySlice(repeating: 1, count: bytes)) }
        if !rig.transfer.isCancelled { rig.transfer.end() }
        return rig.results.outcomes
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

    @Test("A failure has the class of its status, and half an answer is a failure, too") func failures() throws {
        #expect(try outcome(at: 300, 404, []) == [.failed(.notFound)])
        #expect(try outcome(at: 300, 503, []) == [.failed(.serverBusy)])
        #expect(try outcome(at: 300, 206, [("content-range", "bytes 300-999/1000")], bytes: 99) == [.failed(.dropped)])
    }

    @Test("A server that drips is waited for ten seconds") func drip() throws {
        let rig = try Rig(at: 0, 100)
        rig.transfer.receiveHead(interval: nil, fields: [("content-length", "1000")], isStation: false)
        for _ in 0..<9 {
            rig.reactor.advance(by: .seconds(1))
            rig.transfer.receive([1])
        }
        #expect(rig.results.outcomes.isEmpty)
        rig.reactor.advance(by: .seconds(1))
        #expect(rig.results.outcomes == [.failed(.timeout)] && rig.transfer.isCancelled)
    }

    @Test("No result is reported after a fetch was cancelled") func cancelled() throws {
        let rig = try Rig(at: 0, 100)
        rig.fetch.cancel()
        rig.reactor.advance(by: .seconds(20))
        #expect(rig.results.outcomes.isEmpty && rig.transfer.isCancelled)
    }
}
