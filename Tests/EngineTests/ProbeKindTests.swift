// SPDX-License-Identifier: MIT

import RadioCore
import TestSupport
import Testing

@testable import Engine

/// When a probe decides that an address is a file, and when that it is a station.
struct ProbeKindTests {
    private static let programme = Broadcast([.music(.seconds(300))], MPEGShape(48))

    /// The kind that a probe finds. The response head announces `length`, and no ranges. `onAir` is the time for which
    /// the programme has been on air before the probe begins.
    private func kind(_ stream: LiveStream, length: Int, onAir: Duration = .zero) throws -> SourceKind? {
        var stream = stream
        stream.head = LiveHead(200, "OK", ["Content-Type": "audio/mpeg", "Content-Length": "\(length)"])
        let script = LiveScript(.stream(stream), onAir: onAir)
        let rig = try EngineRig(["fip": script])
        rig.begin("probe", ProbeSpec(), of: "fip")
        rig.run(20)
        let result = try #require(rig.outcomes[UseID("probe")] as? ProbeResult)
        #expect(result.failure == nil, "\(result)")
        return result.info?.kind
    }

    @Test(
        "A file from a server without ranges is a file, even if the probe is over before it has arrived",
        arguments: [10_000, 20, 15.0])
    func fileWithoutRanges(speed: Double) throws {
        let stream = LiveStream(Self.programme, burst: 0, speed: (speed, nil))
        #expect(try kind(stream, length: Self.programme.bytes.count) == .finite)
    }

    @Test("A station is a station, whatever length it announces", arguments: [2_147_483_647, 0, 50_000_000])
    func announcedLength(length: Int) throws {
        #expect(try kind(LiveStream(Self.programme, burst: 24_000), length: length) == .live)
    }

    @Test("A station is a station, even if its connection ends at the announced length", arguments: [30_000, 360_000])
    func endAtLength(length: Int) throws {
        let stream = LiveStream(Self.programme, burst: length - 6_000, faults: [.afterBytes(length, .close)])
        // The programme has been on air before, because otherwise there is no burst. Audio that arrives only at a
        // station's pace never looks like a file.
        #expect(try kind(stream, length: length, onAir: .seconds(90)) == .live)
    }
}
