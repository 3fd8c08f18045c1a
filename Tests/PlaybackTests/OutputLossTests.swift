// SPDX-License-Identifier: MIT

import Instants
import Testing

@testable import Playback

@Suite("The loss of an output")
struct OutputLossTests {
    private static let start = MonotonicInstant(nanoseconds: 0)

    @Test(
        "A long loss of the output leads to the live edge, unless the listener was already behind",
        arguments: [(10, 4, false), (11, 4, true), (11, 59, true), (11, 60, false), (3_600, 1_800, false)])
    func liveEdge(lost: Int, behind: Int, leads: Bool) {
        let loss = OutputWatch.Loss(since: Self.start, behind: .seconds(behind))
        #expect(loss.leadsToLiveEdge(Self.start + .seconds(lost)) == leads)
    }
}
