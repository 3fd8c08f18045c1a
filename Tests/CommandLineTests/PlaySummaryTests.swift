// SPDX-License-Identifier: MIT

import Playback
import Testing
import Words

/// The line that says how much was played.
struct PlaySummaryTests {
    @Test(
        "The summary tells breaks, and audio that was not kept during a pause",
        arguments: [
            (0, 0, "played 1:05 without a break"), (1, 0, "played 1:05 with 1 break"),
            (0, 192, "played 1:05 without 3 min 12 s that were not kept during a pause"),
            (2, 192, "played 1:05 with 2 breaks, without 3 min 12 s that were not kept during a pause"),
        ])
    func notKept(underruns: Int, skipped: Int, line: String) {
        var player = PlayerSnapshot()
        (player.heard, player.underruns, player.skipped) = (.seconds(65), underruns, .seconds(skipped))
        #expect(Wording.summary(player) == line)
    }
}
