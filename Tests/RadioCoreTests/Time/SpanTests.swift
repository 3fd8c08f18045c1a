// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

struct SpanTests {
    private static func span(_ from: Int, _ until: Int) -> Range<WallInstant> {
        WallInstant(nanoseconds: Int64(from))..<WallInstant(nanoseconds: Int64(until))
    }

    @Test("A span without others is what each moment of it says", arguments: 0..<200 as Range<UInt64>)
    func without(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func any() -> Range<WallInstant> {
            let from = Int.random(in: 0..<30, using: &random)
            return Self.span(from, from + Int.random(in: 0...12, using: &random))
        }
        let (whole, others) = (any(), (0..<Int(seed % 6)).map { _ in any() })
        let parts = whole.without(others)
        for moment in 0..<50 {
            let instant = WallInstant(nanoseconds: Int64(moment))
            let isLeft = whole.contains(instant) && !others.contains { $0.contains(instant) }
            #expect(parts.count { $0.contains(instant) } == (isLeft ? 1 : 0), "\(whole) \(others)")
        }
        // As few parts as possible, in order.
        #expect(parts.allSatisfy { !$0.isEmpty })
        #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }, "\(parts)")
    }
}
