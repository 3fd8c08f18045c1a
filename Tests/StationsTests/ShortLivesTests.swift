// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import TestSupport
import Testing

/// Stations that end each connection after seconds, and mirrors of which each fails in its own way.
struct ShortLivesTests {
    /// 4,000 bytes a second.
    private static let programme = Broadcast([.music(.seconds(1_860))], MPEGShape(32, isMono: true))
    private static let heard = HeardFrames(of: programme)
    private static let body = 16_384

    @Test(
        "A45: A station that closes after each four seconds of audio is received whole for half an hour",
        arguments: [4_000, 8_000, 12_000, 14_000, 16_384])
    func shortBodies(burst: Int) {
        let stream = LiveStream(Self.programme, burst: burst, faults: [.afterBytes(Self.body, .close)])
        let outcome = VirtualStation(LiveScript(.stream(stream)), hearing: Self.heard).run(for: .seconds(1_800))
        // It is stopped while it waits for the next try if each body comes at once.
        let gaps = burst == Self.body ? 1 : 0
        #expect(outcome.report.exactStretch != nil && outcome.heard.gaps.count <= gaps, "\(outcome)")
        // A body that comes at once is requested again before all of it has been played, but not more often.
        let perSecond = burst == Self.body ? 1 / 2.0 : 4_000 / Double(Self.body - burst)
        #expect(Double(outcome.log.accepts.count) < 1_800 * perSecond * 1.1 + 20, "\(outcome)")
    }

    /// The programme ends after 20 s, and each later connection brings its last four seconds again.
    @Test("A45: A station that sends the same burst again and again is asked less and less often", arguments: [0, 100])
    func sameBurst(milliseconds: Int) {
        let frozen = Broadcast([.music(.seconds(60))], MPEGShape(32, isMono: true))
        let script = LiveScript { visit in
            var stream = LiveStream(frozen, burst: Self.body)
            // The second half of the burst may come later.
            if visit.number > 0, milliseconds > 0 {
                stream.faults = [.afterBytes(Self.body / 2, .stall), .at(.milliseconds(milliseconds), .resume)]
            }
            return .stream(stream)
        }
        let outcome = VirtualStation(script, hearing: HeardFrames(of: frozen)).run(for: .seconds(1_800))
        #expect(outcome.report.duplicated.isEmpty && outcome.heard.gaps.count == 1, "\(outcome)")
        // As often as one that is away: every 2.5 s for ten minutes, then more and more seldom.
        #expect(outcome.log.accepts.count <= 320, "\(outcome)")
    }

    /// What the second mirror does in its first five seconds.
    enum Trouble: CaseIterable {
        case busy, forbidden, hangUp, silence

        var answer: LiveScript.Answer {
            switch self {
            case .busy: .status(503, "Service Unavailable")
            case .forbidden: .status(403, "Forbidden")
            case .hangUp: .hangUp
            case .silence: .silence
            }
        }
    }

    @Test(
        "A46: A mirror that failed once is soon asked again where the other hangs after each connect",
        arguments: Trouble.allCases)
    func hangingMirror(trouble: Trouble) throws {
        let hanging = LiveStream(Self.programme, burst: 1_200, faults: [.at(.seconds(1), .stall)])
        let good = LiveStream(Self.programme, burst: 1_200)
        let mirror = LiveScript { $0.time < .seconds(5) ? trouble.answer : .stream(good) }
        let outcome = VirtualStation(
            hosts: ["a.test": LiveScript(.stream(hanging)), "b.test": mirror], hearing: Self.heard,
            urls: ["http://a.test/live", "http://b.test/live"]
        ).run(for: .seconds(100))
        let lost = outcome.report.lost.reduce(0) { $0 + Self.programme.frames[$1].length.inSeconds }
        #expect(lost < (trouble == .silence ? 32 : 12), "\(lost) \(outcome)")
        // It was never measured how far the second mirror is behind the first, so no gap at it has a length.
        #expect(outcome.heard.gaps.contains { $0.length == nil }, "\(outcome)")
    }

    @Test("A46: A mirror that refuses each connection is asked in vain at most once for each connection to the other")
    func refusingMirror() throws {
        let hanging = LiveStream(Self.programme, burst: 1_200, faults: [.at(.seconds(1), .stall)])
        let outcome = VirtualStation(
            hosts: ["a.test": LiveScript(.stream(hanging)), "b.test": LiveScript(.status(503, "Service Unavailable"))],
            hearing: Self.heard, urls: ["http://a.test/live", "http://b.test/live"]
        ).run(for: .seconds(100))
        let asked = Dictionary(grouping: outcome.log.accepts, by: \.host).mapValues(\.count)
        #expect(asked["b.test", default: 0] <= asked["a.test", default: 0], "\(outcome)")
    }
}
