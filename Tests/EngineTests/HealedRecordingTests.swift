// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import RadioFormats
import Recorder
import Stations
import Storage
import TestSupport
import TestTools
import Testing

@testable import Engine

/// A recording whose station finds audio for a gap.
struct HealedRecordingTests {
    private struct FinderSpec: UseSpec {
        func makeUse(_ context: UseContext) -> any Use { Finder(context) }
        func outcome(_ failure: Failure) -> any UseOutcome { KeepingOutcome(heard: HeardFrames(of: Broadcast([]))) }
    }

    /// Tells of a gap after ten seconds, and finds audio for it five seconds later: the frames that it heard first.
    private final class Finder: Use, ProgrammeUser, StreamSink {
        private let context: UseContext
        private var (batch, bytes, format) = (FrameBatch(), [UInt8](), StreamFormat?.none)
        private var before: Int64 = 0
        private var timers: [any ReactorTimer] = []

        init(_ context: UseContext) { self.context = context }

        var snapshot: (any UseSnapshot)? { nil }
        func begin() { context.host.join(self) }
        func end() {}
        func programmeEnded(_ failure: Failure?) {}

        func programmeBegan(_ programme: Programme) {
            let (hub, reactor) = (programme.hub, context.reactor)
            hub.attach(self)
            timers = [reactor.makeTimer { [self] in lose(hub) }, reactor.makeTimer { [self] in find(hub) }]
            timers[0].arm(at: reactor.now + .seconds(10))
            timers[1].arm(at: reactor.now + .seconds(15))
        }

        func receive(_ event: StreamEvent) {
            guard case .chunk(let chunk) = event, batch.count < 30 else { return }
            format = chunk.format
            chunk.slab.forEachFrame(chunk.frames) { frame in
                batch.append(FrameBatch(FrameFacts(samples: 1_152), length: frame.count))
                bytes += frame
            }
        }

        private func lose(_ hub: StreamHub) {
            hub.flush()
            before = hub.position.frames
            hub.report(.gap(Gap(at: context.reactor.wallNow, length: .seconds(1), cause: "the connection broke")))
        }

        private func find(_ hub: StreamHub) {
            guard let format else { return }
            hub.report(
                FoundAudio(
                    before: before, continuesBefore: true, isContinuedAfter: true, format: format, batch: batch,
                    bytes: bytes, length: .seconds(1), rest: .zero, source: "a second connection"))
        }
    }

    @Test("A healed file is handed to its program once, as it is in the end") func program() throws {
        let stream = LiveStream(Broadcast([.music(.seconds(60))]), burst: 16_000, fields: ["icy-name": "FIP"])
        let rig = try EngineRig(["fip": LiveScript(.stream(stream))])
        try rig.folder.write("script", "cat >> '\(rig.folder.file("seen"))'\n")
        let program = try FileProgram(parsing: "/bin/sh '\(rig.folder.file("script"))'")
        rig.record("file", of: "fip") { spec in (spec.settings.writesSidecars, spec.exec) = (true, program) }
        rig.begin("finder", FinderSpec(), of: "fip")
        rig.run(18)
        rig.end("file")
        rig.run(1)
        #expect(rig.reactor.pump { rig.recording("file") != nil })
        let report = try #require(rig.recording("file")).report
        #expect(report.gaps.isEmpty && report.healed.count == 1 && report.files.count == 1)
        // With the input of a second run behind it, this could not be read.
        let input = try JSONValue(parsing: rig.folder.read("seen"), limit: 1 << 20)
        #expect(input["frames"]?.integerValue == report.frames && input["healed"]?.arrayValue?.count == 1)
        let told = rig.useNotices[UseID("file")]?.compactMap { notice -> String? in
            switch notice {
            case .recorder(.healed): "healed"
            case .recorder(.finished): "finished"
            case .recorder(.revised): "revised"
            default: nil
            }
        }
        #expect(told == ["healed", "finished"])
    }
}
