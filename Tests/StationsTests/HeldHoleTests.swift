// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// Audio that a second connection leaves out while its frames wait for their place, in virtual time.
struct HeldHoleTests {
    private static let programme = Broadcast([.music(.seconds(150))])
    private static let heard = HeardFrames(of: programme)

    @Test("A hole among the frames that a second connection held is told once they are delivered", arguments: [4, 6])
    func hole(seconds: Int) throws {
        let script = LiveScript { visit in
            var stream = LiveStream(Self.programme, burst: visit.number == 0 ? 64_000 : 0)
            switch visit.number {
            case 0: stream.faults = [.at(.seconds(20), .stall)]
            case 1: stream.faults = [.at(.seconds(2), .stall), .at(.seconds(2 + seconds), .resumeLive)]
            default: break
            }
            return .stream(stream)
        }
        let outcome = VirtualStation(script, hearing: Self.heard).run(for: .seconds(60))
        #expect(outcome.findings(in: Self.programme).isEmpty, "\(outcome.findings(in: Self.programme)), \(outcome)")
        let hole = try #require(outcome.heard.gaps.last?.length)
        #expect(outcome.heard.gaps.count == 2 && abs(hole.inSeconds - Double(seconds)) < 0.1, "\(outcome)")
    }
}
