// SPDX-License-Identifier: MIT

import RadioCore
import Recorder
import Stations
import TestSupport
import Testing

@testable import Engine

/// A kind of use that is defined outside the engine.
struct OwnUseTests {
    private static let broadcast = Broadcast([.music(.seconds(60))], MPEGShape(48))

    @Test("A new kind of use begins, reports and ends like any other, beside a recording") func newKind() throws {
        let rig = try EngineRig(["fip": LiveScript(.stream(LiveStream(Self.broadcast, burst: 16_000)))])
        rig.record("file", of: "fip")
        rig.registry.perform(.begin(UseID("count"), CountingSpec(), of: ProgrammeID("fip")))
        rig.registry.perform(.begin(UseID("lost"), CountingSpec(), of: ProgrammeID("nowhere")))
        rig.run(10)
        let snapshot = try #require(rig.registry.snapshot.uses[UseID("count")] as? Count)
        rig.end("count")
        rig.run(1)
        rig.end("file")
        rig.run(1)
        let count = try #require(rig.outcomes[UseID("count")] as? Count)
        let frames = try #require(rig.recording("file")).report.frames
        #expect(snapshot.frames > 300 && count.frames >= snapshot.frames && count.frames <= frames)
        #expect(rig.outcomes[UseID("lost")]?.failure?.failureClass == .internal)
        #expect(rig.connections(to: "fip") == 1 && rig.origin.transfersUnderWay == 0)
    }
}

private struct CountingSpec: UseSpec {
    func makeUse(_ context: UseContext) -> any Use { CountingUse(context) }
    func outcome(_ failure: Failure) -> any UseOutcome { Count(failure: failure) }
}

private struct Count: UseOutcome, UseSnapshot {
    var frames: Int64 = 0
    var failure: Failure?
}

private final class CountingUse: Use, ProgrammeUser, StreamSink {
    private let context: UseContext
    private var count = Count()

    init(_ context: UseContext) { self.context = context }

    var snapshot: (any UseSnapshot)? { count }

    func begin() {
        context.host.join(self)
        context.host.claim(self)
    }

    func end() {
        context.host.programme?.hub.detach(self)
        context.host.leave(self)
        context.onEnd(count)
    }

    func programmeBegan(_ programme: Programme) { programme.hub.attach(self) }
    func programmeEnded(_ failure: Failure?) { count.failure = failure }

    func receive(_ event: StreamEvent) {
        if case .chunk(let chunk) = event { count.frames += Int64(chunk.frames.count) }
    }
}
