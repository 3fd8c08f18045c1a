// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// Bytes that are wrong when they come to the station, as they are on all connections or on one.
struct DamagedStationTests {
    @Test("100 flipped metadata length bytes: each is noticed, the connection made anew, spliced, nothing lost")
    func lengthBytes() {
        var programme = Broadcast([.music(.seconds(70))])
        for place in stride(from: 0, to: programme.frames.count, by: 150) {
            programme = programme.title("Title \(place)", from: place)
        }
        let heard = HeardFrames(of: programme)
        var random = SplitMix64(seed: 100)
        for flip in 0..<100 {
            let (block, mask) = (Int.random(in: 0..<25, using: &random), UInt8.random(in: 1...255, using: &random))
            let script = LiveScript { [programme] visit in
                var stream = LiveStream(programme, interval: 8_192)
                if visit.number == 0 { stream.lengthFlips = [block: mask] }
                return .stream(stream)
            }
            let outcome = BroadcastStation({ VirtualOrigin(script, reactor: $0) }, hearing: heard).run(
                for: .seconds(25))
            #expect(outcome.isWhole, "flip \(flip), block \(block), mask \(mask): \(outcome)")
            #expect(outcome.snapshot.reconnects >= 1, "flip \(flip), block \(block), mask \(mask): \(outcome)")
        }
    }

    @Test(
        "1,000 byte flips, half of them in frame headers, with cuts: only what was hit is missing, and what is before it"
    )
    func audio() {
        let programme = Broadcast([.music(.seconds(110))])
        let heard = HeardFrames(of: programme)
        for run in 0..<10 {
            var random = SplitMix64(seed: UInt64(run))
            var stream = LiveStream(programme, faults: [.inFrame(after: .seconds(20), .reset)])
            var (headers, content): (Set<Int>, Set<Int>) = ([], [])
            for flip in 0..<100 {
                // From 36 s on: what is on air when the station begins.
                let place = Int.random(in: 1_400..<3_950, using: &random)
                let bytes = programme.byteRange(of: place..<place + 1)
                let isInHeader = flip % 2 == 0
                let offset =
                    isInHeader ? .random(in: 0..<4, using: &random) : Int.random(in: 4..<bytes.count, using: &random)
                stream.flips[bytes.lowerBound + offset] = UInt8.random(in: 1...255, using: &random)
                if isInHeader { headers.insert(place) } else { content.insert(place) }
            }
            let outcome = BroadcastStation(
                { [stream] in VirtualOrigin(LiveScript(.stream(stream)), reactor: $0) }, hearing: heard,
                seed: UInt64(run)
            ).run(for: .seconds(65))
            let report = outcome.report
            // A frame that is delivered with a wrong byte in it is none of the undamaged programme.
            let mayMiss = headers.union(headers.map { $0 - 1 }).union(content)
            #expect(report.lost.allSatisfy(mayMiss.contains), "run \(run): \(outcome)")
            #expect(content.subtracting(headers).isSubset(of: report.lost), "run \(run): \(outcome)")
            #expect(report.foreign >= 1 && report.foreign <= headers.count + content.count, "run \(run): \(outcome)")
            #expect(report.duplicated.isEmpty && report.disorders == 0, "run \(run): \(outcome)")
            #expect(outcome.sink.gaps.isEmpty, "run \(run): \(outcome)")
            #expect(outcome.snapshot.skipped.map(\.bytes).reduce(0, +) > 0)
            #expect(outcome.snapshot.reconnects == 3, "run \(run): \(outcome)")
        }
    }
}
