// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// A server that keeps its connections open while its source is away.
struct AwaySourceTests {
    @Test(
        "A57: What aired while the source was away is missing, whichever connection gets its return first",
        arguments: [12, 12.5, 14, 30, 120], 0..<3)
    func away(seconds: Double, late: Int) throws {
        let programme = Broadcast([.music(.seconds(seconds + 115))])
        let (start, back) = (Duration.seconds(15), Duration.seconds(15 + seconds))
        let places = programme.framesAired(at: .seconds(55))..<programme.framesAired(at: .seconds(55 + seconds))
        let sent = programme.leavingOut(places)
        let script = LiveScript { visit in
            var stream = LiveStream(sent, block: 1)
            stream.burstBeginsWithFrame = true
            // The return reaches every second connection 0.1 s later, or none.
            if late < 2, visit.number % 2 == late, visit.time < back {
                let time = back - visit.time
                stream.faults = [.at(time - .milliseconds(30), .stall), .at(time + .milliseconds(100), .resume)]
            }
            return .stream(stream)
        }
        let outcome = VirtualStation(script, hearing: HeardFrames(of: programme)).run(for: back + .seconds(30))
        let findings = outcome.findings(in: programme, isSent: false)
        #expect(findings.isEmpty && outcome.report.lost.count == places.count, "\(findings), \(outcome)")
        let gap = try #require(outcome.heard.gaps.first, "\(outcome)")
        #expect(outcome.heard.gaps.count == 1 && gap.length != nil, "\(outcome)")
        #expect(abs((gap.at - (try #require(outcome.heard.wallStart) + .seconds(1) + start)).inSeconds) < 0.3, "\(gap)")
    }
}
