// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

@testable import Playback

@Suite("How fast to play")
struct DriftControlTests {
    private func run(_ control: inout DriftControl, hours: Int, drift: Double, cushion start: Double = 4) -> [Double] {
        var cushion = start
        var now = MonotonicInstant(nanoseconds: 0)
        var seen: [Double] = []
        for _ in 0..<(hours * 7_200) {
            cushion += 0.5 * (drift - control.correction) / 1e6
            now = now + .milliseconds(500)
            _ = control.observe(.microseconds(Int64(cushion * 1e6)), at: now)
            seen.append(cushion)
        }
        return seen
    }

    @Test("The correction holds the cushion although the clocks differ", arguments: [-300.0, -40, 0, 40, 300, 1_000])
    func comesToRest(drift: Double) {
        var control = DriftControl()
        let seen = run(&control, hours: 6, drift: drift)
        let target = control.target?.inSeconds ?? 0
        #expect(seen.allSatisfy { abs($0 - target) < abs(drift) / 2_000 + 0.1 })
        #expect(abs(control.correction - drift) < 30)
        // The cushion does not oscillate: in the second half it hardly moves.
        let rest = seen.suffix(seen.count / 2)
        #expect((rest.max() ?? 0) - (rest.min() ?? 0) < 0.02)
    }

    @Test("The correction stays within inaudible bounds and moves in small steps")
    func bounds() {
        var control = DriftControl()
        var last = 0.0
        var now = MonotonicInstant(nanoseconds: 0)
        for second in 0..<3_600 {
            now = now + .seconds(1)
            let cushion = second < 120 ? Duration.seconds(4) : .seconds(second % 1_200 < 600 ? 60 : 0)
            guard let next = control.observe(cushion, at: now) else { continue }
            #expect(abs(next) <= 2_000 && abs(next - last) <= 100)
            last = next
        }
    }

    @Test("Lumps do not change the correction, as the smallest cushion of ten seconds counts")
    func lumps() {
        var control = DriftControl()
        var now = MonotonicInstant(nanoseconds: 0)
        for second in 0..<3_600 {
            now = now + .seconds(1)
            _ = control.observe(.seconds(4 + second % 5), at: now)
        }
        #expect(control.correction == 0 && control.target == .seconds(4))
    }

    @Test("After a pause, the correction is unchanged and holds a new cushion")
    func resettle() {
        var control = DriftControl()
        _ = run(&control, hours: 2, drift: 200)
        let correction = control.correction
        control.resettle()
        #expect(control.correction == correction && control.target == nil)
        let seen = run(&control, hours: 2, drift: 200, cushion: 40)
        #expect(seen.allSatisfy { $0 > 39.5 })
    }
}
