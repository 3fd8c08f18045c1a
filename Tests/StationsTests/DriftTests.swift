// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// Stations whose clock runs faster or slower than ours, in virtual time.
struct DriftTests {
    private static let sampleRate = 44_100
    private static let length = Duration.seconds(16 * 60)
    private static let programme = Broadcast([.music(length + .seconds(50))], MPEGShape(64))

    /// Records the air time of each chunk.
    private final class Dater: StreamSink {
        let tolerance: Duration? = nil
        private(set) var dates: [(sample: Int64, at: WallInstant)] = []
        private(set) var airTime: AirTime?

        func receive(_ event: StreamEvent) {
            switch event {
            case .airTime(let map): airTime = map
            case .chunk(let chunk):
                guard let airTime, airTime.isSettled else { return }
                // The first date is that of sample 0, which also covers audio from before the air time settled.
                let first = dates.isEmpty ? 0 : chunk.position.samples
                dates.append((first, airTime.instant(ofSample: first)))
            default: break
            }
        }
    }

    @Test("The drift of a station's clock is measured, and air time follows it", arguments: [300.0, -300])
    func drift(partsPerMillion: Double) throws {
        let stream = LiveStream(Self.programme, speed: (1 + partsPerMillion / 1e6, nil))
        let script = LiveScript(.stream(stream))
        let station = VirtualStation(script, hearing: HeardFrames(of: Self.programme))
        let dater = Dater()
        station.station.hub.attach(dater)
        let (start, began) = (station.reactor.now, station.reactor.wallNow)
        let outcome = station.run(for: Self.length)
        #expect(outcome.isWhole && outcome.snapshot.reconnects == 0, "\(outcome)")

        let drift = try #require(outcome.snapshot.drift)
        #expect(abs(drift - partsPerMillion) <= 30, "\(drift)")
        #expect(dater.airTime?.drift == drift)

        // The programme's time at the accept, and its time at the first delivered sample.
        let accept = try #require(outcome.log.accepts.first).at - start
        let base = script.onAir + accept
        let first = try Self.programme.frames[#require(outcome.report.exactStretch).lowerBound].start
        #expect(dater.dates.count > 1_000)
        for (sample, at) in dater.dates {
            let passed = first + .samples(sample, at: Self.sampleRate) - base
            let truth = began + accept + passed / stream.speed.factor
            #expect(abs((at - truth).inSeconds) <= 0.05, "sample \(sample): \(at - truth)")
        }
    }
}
