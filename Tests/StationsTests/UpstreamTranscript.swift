// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import RadioCore
import RadioFormats
import TestSupport

@testable import Stations

/// What one connection delivered; the test plays the server.
final class UpstreamTranscript: UpstreamDelegate, ConnectionTaker {
    /// Frames that were delivered without doubt, or were later declared right.
    private(set) var frames: [[UInt8]] = []
    /// Frames that are in doubt.
    private(set) var held: [[UInt8]] = []
    private(set) var isDoubtful = false
    private(set) var doubts = 0
    private(set) var titles: [String] = []
    private(set) var end: UpstreamEnd?
    /// How many bytes had been sent at the first doubt or at the end.
    private(set) var noticedAfter: Int?
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

    func take(_ part: StreamPart) {
        if case .title(let title, _, _) = part { titles.append(title) }
    }

    func take(_ batch: FrameBatch, _ bytes: UnsafeRawBufferPointer) {
        batch.forEach(in: bytes) { if isDoubtful { held.append(Array($1)) } else { frames.append(Array($1)) } }
    }

    func doubt(_ isDoubtful: Bool) {
        self.isDoubtful = isDoubtful
        guard isDoubtful else {
            frames += held
            return held = []
        }
        doubts += 1
        noticedAfter = noticedAfter ?? sent
    }

    func upstream(_ upstream: Upstream, _ event: UpstreamEvent) {
        switch event {
        case .bodyIsOver: upstream.flush()
        case .ended(let end):
            self.end = end
            noticedAfter = noticedAfter ?? sent
            endedAfter = sent
        default: break
        }
    }
}
