// SPDX-License-Identifier: MIT

import Playback
import Testing

@Suite("G3: clocks that differ")
struct DriftTests {
    @Test("24 hours at 300 ppm: the cushion stays within half a second", arguments: [300.0, -300.0])
    func day(clockError: Double) throws {
        let rig = try PlayerRig(isSilent: true)
        rig.sound.clockError = clockError
        rig.run(.seconds(120), burst: .seconds(4))
        let start = rig.player.snapshot.behind
        var (least, most) = (start, start)
        for _ in 0..<(24 * 3_600 * 2) {
            rig.run(.milliseconds(500), step: .milliseconds(500))
            let behind = rig.player.snapshot.behind
            (least, most) = (min(least, behind), max(most, behind))
        }
        #expect(rig.player.snapshot.underruns == 0)
        #expect(least > start - .milliseconds(500) && most < start + .milliseconds(500), "\(start) \(least) \(most)")
        let rates = rig.sound.rates
        #expect(rates.allSatisfy { abs($0 - 48_000) <= 96 })
        // The steps of 0.1 ‰ are inaudible.
        #expect(zip(rates, rates.dropFirst()).allSatisfy { abs($1 - $0) <= 6 })
    }
}
