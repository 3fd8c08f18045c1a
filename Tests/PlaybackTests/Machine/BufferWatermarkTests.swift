// SPDX-License-Identifier: MIT

import Instants
import Playback
import Testing

@Suite("How much audio is enough")
struct BufferWatermarkTests {
    private let start = MonotonicInstant(nanoseconds: 1_000_000_000)

    @Test("Little audio is enough to begin if it arrives at once, a second is needed if it does not")
    func beginning() {
        var burst = BufferWatermark()
        burst.audioCame(at: start)
        #expect(burst.isEnough(.milliseconds(500), at: start) == false)
        #expect(burst.isEnough(.milliseconds(600), at: start + .milliseconds(50)) == true)

        var slow = BufferWatermark()
        slow.audioCame(at: start)
        #expect(slow.isEnough(.milliseconds(600), at: start + .milliseconds(400)) == false)
        #expect(slow.isEnough(.seconds(1), at: start + .seconds(1)) == true)
    }

    @Test("The high mark doubles each time audio runs out, up to ten seconds, and halves in calm times")
    func growth() {
        var marks = BufferWatermark()
        marks.audioCame(at: start)
        var now = start
        for expected in [2, 4, 8, 10, 10] {
            now = now + .seconds(5)
            marks.ranOut(at: now)
            #expect(marks.high == .seconds(expected))
        }
        for expected in [5_000, 2_500, 1_250, 1_000, 1_000] {
            marks.played(at: now + .seconds(599))
            now = now + .seconds(600)
            marks.played(at: now)
            #expect(marks.high == .milliseconds(expected))
        }
    }

    @Test("After playback has run out, audio that arrives at once is no reason to resume early")
    func hysteresis() {
        var marks = BufferWatermark()
        marks.audioCame(at: start)
        #expect(marks.isEnough(.seconds(1), at: start) == true)
        marks.ranOut(at: start + .milliseconds(50))
        #expect(marks.isEnough(.milliseconds(1_999), at: start + .milliseconds(60)) == false)
        marks.restart()
        marks.audioCame(at: start + .milliseconds(70))
        #expect(marks.isEnough(.milliseconds(600), at: start + .milliseconds(80)) == true)
    }
}
