// SPDX-License-Identifier: MIT

import Control
import Instants
import Testing

struct TokenBucketTests {
    @Test("A bucket gives a few tokens at once, then one in each interval, and is full again after a rest")
    func taking() {
        var bucket = TokenBucket(size: 3, interval: .milliseconds(500))
        let start = MonotonicInstant(nanoseconds: 7)
        for _ in 0..<3 { #expect(bucket.take(at: start) == nil) }
        #expect(bucket.take(at: start) == start + .milliseconds(500))
        #expect(bucket.take(at: start + .milliseconds(200)) == start + .milliseconds(500))
        #expect(bucket.take(at: start + .milliseconds(500)) == nil)
        #expect(bucket.take(at: start + .milliseconds(500)) == start + .seconds(1))
        let later = start + .seconds(60)
        for _ in 0..<3 { #expect(bucket.take(at: later) == nil) }
        #expect(bucket.take(at: later) != nil)
    }

    @Test("A flood of requests gets the full bucket and one token for each interval")
    func flood() {
        var bucket = TokenBucket(size: 4, interval: .milliseconds(500))
        var taken = 0
        for millisecond in 0..<10_000 {
            if bucket.take(at: MonotonicInstant(nanoseconds: Int64(millisecond) * 1_000_000)) == nil { taken += 1 }
        }
        #expect(taken == 4 + 19)
    }
}
