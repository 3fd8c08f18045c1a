// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

@testable import Stations

/// One connection on its own.
struct UpstreamTests {
    @Test("A playlist entry from outside is not let into our network") func privateAddress() async throws {
        let origin = try ScriptedOrigin([.request, .icyHead(), .send(SampleProgramme(30).bytes)])
        let end = try await Self.end(of: .init(url: origin.url("/live"), allowsPrivateAddress: false))
        guard case .failed(let failure)? = end else { throw SetupError("\(String(describing: end))") }
        #expect(failure.failureClass == .forbiddenAddress)
        #expect(origin.acceptCount == 0)
        #expect(try await Self.end(of: .init(url: origin.url("/live"))) == .complete)
    }

    @Test("A station is asked for metadata unless the target does not want it") func metadataRequest() async throws {
        let origin = try ScriptedOrigin([.request, .icyHead(), .send(SampleProgramme(30).bytes)])
        _ = try await Self.end(of: .init(url: origin.url("/a")))
        _ = try await Self.end(of: .init(url: origin.url("/b"), wantsMetadata: false))
        #expect(origin.requests.map { $0.header("Icy-MetaData") } == ["1", nil])
    }

    /// How a connection ends; nil if that takes too long.
    private static func end(of target: Upstream.Target) async throws -> UpstreamEnd? {
        let loop = try EventLoop(name: "upstream-test")
        try loop.start()
        defer { loop.shutdown() }
        let bench = Bench()
        loop.post { bench.open(target, on: loop.reactor) }
        let end = try await onThread { bench.end.wait(within: .seconds(60)) { $0 } }
        loop.post { bench.close() }
        return end
    }
}

/// A connection and a delegate that waits for its end.
///
/// Sound although not Sendable by itself: all but `end` is used on the loop only.
private final class Bench: UpstreamDelegate, StreamPartTaker, @unchecked Sendable {
    let end = Watched<UpstreamEnd?>(nil)
    private var client: CurlClient?
    private var upstream: Upstream?

    func open(_ target: Upstream.Target, on reactor: any Reactor) {
        let client = CurlClient(reactor: reactor)
        let upstream = Upstream(
            target, settings: .patient([target.url]), client: client, reactor: reactor, delegate: self)
        (self.client, self.upstream) = (client, upstream)
        upstream.taker = self
        upstream.open()
    }

    func close() {
        upstream?.close()
        client?.close()
        (client, upstream) = (nil, nil)
    }

    func take(_ part: StreamPart) {}
    func take(_ batch: FrameBatch, _ bytes: UnsafeRawBufferPointer) {}

    func upstream(_ upstream: Upstream, _ event: UpstreamEvent) {
        switch event {
        case .bodyIsOver: upstream.flush()
        case .ended(let end): self.end.change { $0 = end }
        default: break
        }
    }
}
