// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import EventLoopTesting
import RadioCore
import RadioFormats
import TestSupport

@testable import Stations

/// What one connection delivered; the test plays the server.
final class UpstreamTranscript: UpstreamDelegate, StreamPartTaker {
    private(set) var frames: [[UInt8]] = []
    private(set) var titles: [String] = []
    private(set) var end: UpstreamEnd?
    /// How many bytes had been sent when the connection ended.
    private(set) var endedAfter: Int?

    private var sent = 0

    /// Sends a body in pieces of random length of at most `longest` bytes, until all of it is sent or the connection
    /// has ended.
    init(
        _ body: [UInt8], interval: Int?, type: String = "audio/mpeg", seed: UInt64 = 1, longest: Int = 3000,
        endsWithIt: Bool = false
    ) {
        let reactor = ManualReactor()
        let origin = VirtualOrigin(LiveScript(.byHand), reactor: reactor)
        origin.answersAtOnce()
        let url = "http://station.test/live"
        let upstream = Upstream(
            Upstream.Target(url: url), settings: .patient([url]), client: origin, reactor: reactor, delegate: self)
        upstream.taker = self
        upstream.open()
        defer { upstream.close() }
        reactor.settle()
        guard let transfer = origin.byHand.first else { return }
        transfer.receiveHead(interval: interval, type: type)
        var random = SplitMix64(seed: seed)
        while sent < body.count, end == nil {
            let piece = body[sent...].prefix(Int.random(in: 1...longest, using: &random))
            sent = piece.endIndex
            transfer.receive(piece)
        }
        if endsWithIt { transfer.end() }
    }

    /// The first frame that differs from the expected one at its place.
    func firstForeign(_ expected: [ArraySlice<UInt8>]) -> Int? {
        frames.indices.first { $0 >= expected.count || !FrameList.areEqual(frames[$0][...], expected[$0]) }
    }

    /// How many frames the programme does not have, and how many of its frames are missing between the delivered ones.
    func deviation(from programme: [ArraySlice<UInt8>]) -> (foreign: Int, lost: Int) {
        var (foreign, lost, next) = (0, 0, 0)
        for frame in frames {
            guard let place = programme[next...].firstIndex(where: { FrameList.areEqual(frame[...], $0) }) else {
                foreign += 1
                continue
            }
            lost += place - next
            next = place + 1
        }
        return (foreign, lost)
    }

    func take(_ part: StreamPart) {
        if case .title(let title, _, _) = part { titles.append(title) }
    }

    func take(_ batch: FrameBatch, _ bytes: UnsafeRawBufferPointer) {
        batch.forEach(in: bytes) { frames.append(Array($1)) }
    }

    func upstream(_ upstream: Upstream, _ event: UpstreamEvent) {
        switch event {
        case .bodyIsOver: upstream.flush()
        case .ended(let end):
            self.end = end
            endedAfter = sent
        default: break
        }
    }
}
