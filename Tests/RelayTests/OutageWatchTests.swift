// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

@testable import Relay

/// When a station counts as down.
struct OutageWatchTests {
    private var watch = OutageWatch()
    private var now = MonotonicInstant(nanoseconds: 0)

    /// Lets audio arrive `count` times, each time after `pause`.
    private mutating func hear(_ count: Int, every pause: Duration) {
        for _ in 0..<count {
            now = now + pause
            watch.heard(now)
        }
    }

    private func isAway(after pause: Duration) -> Bool { watch.isAway(now + pause) }

    @Test("A station that sends steadily counts as down after a second")
    mutating func steady() {
        hear(100, every: .milliseconds(150))
        #expect(!isAway(after: .seconds(1)) && isAway(after: .seconds(1.1)))
    }

    @Test("A station that sends in lumps counts as down after two of its pauses")
    mutating func lumps() {
        for _ in 0..<10 {
            hear(1, every: .seconds(3))
            hear(50, every: .milliseconds(20))
        }
        #expect(!isAway(after: .seconds(6)) && isAway(after: .seconds(6.1)))
    }

    @Test("A station that says how long its lumps are has time for them from the start, and no more later")
    mutating func knownLumps() {
        watch.lumps = AudioLumps(of: .seconds(10))
        hear(1, every: .seconds(1))
        #expect(!isAway(after: .seconds(16)) && isAway(after: .seconds(16.1)))
        hear(20, every: .seconds(9.9))
        #expect(!isAway(after: .seconds(16)) && isAway(after: .seconds(16.1)))
    }

    @Test("A station gets more time at first")
    mutating func start() {
        #expect(!isAway(after: .seconds(100)))
        hear(1, every: .seconds(1))
        hear(100, every: .milliseconds(5))
        #expect(!isAway(after: .seconds(5)) && isAway(after: .seconds(5.1)))
    }

    @Test("Reconnects and long stalls are no usual pauses, and a short stall is forgotten after a minute")
    mutating func exceptions() {
        hear(100, every: .milliseconds(150))
        watch.brokeOff()
        hear(1, every: .seconds(4))
        #expect(isAway(after: .seconds(1.1)))
        hear(1, every: .seconds(11))
        #expect(isAway(after: .seconds(1.1)))
        hear(1, every: .seconds(3))
        #expect(!isAway(after: .seconds(6)))
        hear(420, every: .milliseconds(150))
        #expect(isAway(after: .seconds(1.1)))
        // By now the station's pauses are known. A single stall does not count as one of them, but a second one does.
        hear(1, every: .seconds(9))
        #expect(isAway(after: .seconds(1.1)))
        hear(20, every: .milliseconds(150))
        hear(1, every: .seconds(4))
        #expect(!isAway(after: .seconds(8)) && isAway(after: .seconds(8.1)))
    }
}
