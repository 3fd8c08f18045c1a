// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Stations
import TestSupport
import Testing

struct HLSTroubleTests {
    private static let programme = Broadcast([.music(.seconds(215))], MPEGShape(sampleRate: 48_000))
    private static let packagings: [HLSRendition.Packaging] = [.packed, .transportStream]

    @Test("Trouble costs no frame, repeats none, and leaves none undated", arguments: HLSTrouble.allCases, packagings)
    func trouble(trouble: HLSTrouble, packaging: HLSRendition.Packaging) throws {
        let programme = trouble.programme(Self.programme)
        let servers = trouble.servers(programme, packaging)
        let hls = VirtualHLSStation(servers, path: HLSTrouble.path, of: programme)
        let script = servers[0].script
        let end = Duration.seconds(200)
        let outcome = hls.run(for: end - script.onAir)
        let heard = outcome.report.places.compactMap(\.self)
        let first = try #require(heard.first, "\(outcome)")
        let due = script.variants[0].rendition.places(listedIn: script.onAir..<(end - .seconds(6))).filter {
            $0 >= first
        }
        #expect(Set(due).subtracting(heard).isEmpty, "\(outcome)")
        #expect(outcome.report.duplicated.isEmpty && outcome.report.foreign == 0, "\(outcome)")
        #expect(outcome.report.disorders == 0, "\(outcome)")
        let isDated = trouble != .undatedReset
        #expect(hls.dateError(outcome) <= (isDated ? .milliseconds(50) : .seconds(2)), "\(hls.dateError(outcome))")
        let gaps = outcome.heard.gaps.map(\.length)
        switch trouble {
        case .pause: #expect(gaps.count == 20 && gaps.allSatisfy { Self.isHalfSecond($0) }, "\(outcome)")
        // Other frames follow on another time line. Without dates, nothing shows that none are missing, so that each
        // restart is a gap of unknown length.
        case .undatedReset: #expect(gaps.count <= 20 && gaps.allSatisfy { $0 == nil }, "\(outcome)")
        default: #expect(gaps.isEmpty, "\(outcome)")
        }
    }

    private static func isHalfSecond(_ length: Duration?) -> Bool {
        length.map { ($0 - .milliseconds(500)).magnitude < .milliseconds(26) } ?? false
    }
}
