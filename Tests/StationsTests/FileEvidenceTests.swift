// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

@testable import Stations

/// What the end of a body proves. The behaviour of servers is tested in ``FileOrStationTests``.
struct FileEvidenceTests {
    private static let start = MonotonicInstant(nanoseconds: 0)
    /// The time at which the bodies of these tests end.
    private static let end = start + .seconds(300)
    private static let name = "http://radio.test/live"

    /// How the audio of a body arrived.
    private enum Way {
        /// Five minutes of audio in one second.
        case fast
        /// A minute of audio in one second.
        case burst
        /// Five minutes of audio in five minutes.
        case steady

        var pace: DeliveryPace {
            var pace = DeliveryPace()
            switch self {
            case .fast, .burst:
                pace.arrived(.zero, end - .seconds(1))
                pace.arrived(played, end)
            case .steady: for second in 0...300 { pace.arrived(.seconds(second), start + .seconds(second)) }
            }
            return pace
        }

        var played: Duration { self == .burst ? .seconds(60) : .seconds(300) }
    }

    private static func body(
        _ way: Way, _ extent: BodyExtent, frames: Int64 = 1_000, isResumable: Bool = false
    ) -> FileEvidence.Body {
        FileEvidence.Body(
            frames: frames, played: way.played, bytes: 4_800_000, extent: extent, isResumable: isResumable,
            pace: way.pace)
    }

    private static func settings(_ change: (inout StationSettings) -> Void = { _ in }) -> StationSettings {
        var settings = StationSettings(urls: [name], userAgent: "test")
        change(&settings)
        return settings
    }

    private static func verdict(
        _ evidence: inout FileEvidence, _ body: FileEvidence.Body, at end: UpstreamEnd = .complete,
        _ role: ConnectionMachine.Role = .first, _ settings: StationSettings = Self.settings(), reconnects: Int = 0,
        frames: Int64 = 1_000
    ) -> FileEvidence.Verdict {
        evidence.verdict(
            at: end, of: body, role, from: name, settings, reconnects: reconnects, frames: frames, Self.end)
    }

    private var evidence = FileEvidence()

    @Test("A file whose head says so is over at the end of its body, at any pace") mutating func resumableFile() {
        #expect(Self.verdict(&evidence, Self.body(.steady, .other, isResumable: true)) == .wholeFile)
        #expect(Self.verdict(&evidence, Self.body(.steady, .other, frames: 0, isResumable: true)) == .none)
    }

    @Test("A body that did not end properly proves nothing") mutating func brokenBody() {
        let failure = Failure(.dropped, "cut", remedy: "")
        #expect(Self.verdict(&evidence, Self.body(.fast, .whole, isResumable: true), at: .failed(failure)) == .none)
    }

    @Test("The end of a hedge's body ends no programme") mutating func hedge() {
        #expect(Self.verdict(&evidence, Self.body(.fast, .whole), .hedge) == .none)
    }

    @Test("A body of the announced length is a file if it came faster than it plays") mutating func announcedLength() {
        #expect(Self.verdict(&evidence, Self.body(.fast, .whole)) == .wholeFile)
        #expect(Self.verdict(&evidence, Self.body(.burst, .whole), reconnects: 3) == .wholeFile)
        #expect(Self.verdict(&evidence, Self.body(.steady, .whole)) == .none)
        #expect(Self.verdict(&evidence, Self.body(.fast, .other)) == .none)
    }

    @Test("A body without an announced length is a file if it is the first audio and longer than a burst")
    mutating func unannouncedLength() {
        #expect(Self.verdict(&evidence, Self.body(.fast, .unannounced)) == .wholeFile)
        #expect(Self.verdict(&evidence, Self.body(.fast, .unannounced), reconnects: 1) == .none)
        #expect(Self.verdict(&evidence, Self.body(.burst, .unannounced)) == .none)
    }

    @Test("A source that behaved as a station is not a file") mutating func knownStation() {
        let info = StationInfo(kind: .live, name: "Radio", url: Self.name)
        evidence.delivered(info, Way.steady.pace, Self.end)
        #expect(Self.verdict(&evidence, Self.body(.fast, .whole)) == .none)
        #expect(!evidence.isFasterThanStations(Way.fast.pace))
    }

    @Test("A body that came twice unchanged is a file if the settings say so") mutating func repeatedBody() {
        let settings = Self.settings { $0.endsWhereRepeated = true }
        let body = Self.body(.steady, .whole)
        #expect(Self.verdict(&evidence, body, .first, settings, frames: 1_000) == .none)
        #expect(Self.verdict(&evidence, body, .first, settings, frames: 2_000) == .none, "it brought something new")
        #expect(Self.verdict(&evidence, body, .first, settings, frames: 2_000) == .wholeFile)
        var other = FileEvidence()
        for _ in 0..<3 { #expect(Self.verdict(&other, body) == .none) }
    }

    @Test(
        "A whole file longer than any burst is reported where only a station is allowed",
        arguments: ConnectionMachine.Role.allCases)
    mutating func fileForStation(role: ConnectionMachine.Role) {
        let settings = Self.settings { $0.allowsFinite = false }
        let file = FoundFile(at: Self.name, length: 4_800_000, playing: .seconds(300))
        #expect(Self.verdict(&evidence, Self.body(.fast, .whole), role, settings) == .found(file))
        #expect(file.failure.message == "http://radio.test/live is a file of 5m, not a live station")
        #expect(Self.verdict(&evidence, Self.body(.burst, .whole), role, settings) == .none)
        #expect(Self.verdict(&evidence, Self.body(.fast, .unannounced), role, settings) == .none)
    }
}
