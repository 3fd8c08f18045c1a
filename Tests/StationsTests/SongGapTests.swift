// SPDX-License-Identifier: MIT

import RadioCore
import TestSupport
import Testing

/// Songs that begin while the station is away.
struct SongGapTests {
    /// The station is away from 60 s to 80 s of the programme. The second song begins at `second`.
    private static func titles(second: Int) -> [StreamTitle] {
        var programme = Broadcast([.music(.seconds(140))], MPEGShape(32, isMono: true))
        for (title, at) in [("A", 0), ("B", second), ("C", 110)] {
            programme = programme.title(title, from: programme.framesAired(at: .seconds(at)))
        }
        let stream = LiveStream(programme, burst: 4_000, interval: 8_192)
        let script = LiveScript(.stream(stream), absences: [.init(.seconds(20), for: .seconds(20), .gone)])
        let outcome = VirtualStation(script, hearing: HeardFrames(of: programme)).run(for: .seconds(90))
        #expect(outcome.heard.gaps.count == 1, "\(outcome)")
        return outcome.heard.titles
    }

    @Test("I22: A title that changes within a gap is told by the first metadata block after it, and may be older")
    func withinGap() {
        let titles = Self.titles(second: 70)
        #expect(titles.map(\.text) == ["A", "B", "C"] && titles.map(\.mayBeOlder) == [false, true, false])
    }

    @Test("I22: A title that changes after a gap begins where it is told") func afterGap() {
        let titles = Self.titles(second: 90)
        #expect(titles.map(\.text) == ["A", "B", "C"] && titles.allSatisfy { !$0.mayBeOlder })
    }
}
