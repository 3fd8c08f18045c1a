// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// Audio that is missing inside one connection, and connections that only seem to miss audio: Ogg, in virtual time. The
/// programme is 40 s old when the station begins, and its pages last 0.2 s.
struct HoleTests {
    private static let encodings: [ReferenceProgramme.Encoding] = [.opus(96), .vorbis(128), .flac]

    private static func programme(_ encoding: ReferenceProgramme.Encoding) async throws -> Broadcast {
        let (sampleRate, channels) =
            switch encoding {
            case .opus: (48_000, 2)
            // A low rate and one channel, because FLAC takes many bytes.
            case .flac: (22_050, 1)
            default: (44_100, 2)
            }
        return try Broadcast(
            await ReferenceProgramme.make(
                .init(encoding, sampleRate: sampleRate, channels: channels, seconds: 70)))
    }

    private func run(
        _ sent: Broadcast..., of programme: Broadcast, faults: [LiveFault] = [], for length: Duration = .seconds(25)
    ) -> VirtualStation.Outcome {
        let script = LiveScript { visit in
            .stream(LiveStream(sent[min(visit.number, sent.count - 1)], faults: visit.number == 0 ? faults : []))
        }
        return VirtualStation(script, hearing: HeardFrames(of: programme)).run(for: length)
    }

    /// How pages are numbered after the encoder, or a server on the way, has left some out.
    enum Numbering: CaseIterable {
        /// A server drops pages of a slow client, so sequence numbers and granule positions jump.
        case jumps
        /// An encoder gets no sound for a while, so only granule positions jump.
        case continues
        /// A muxer does not know of the loss, so only sequence numbers jump.
        case positionsProceed
    }

    private func leavingOut(
        _ length: Duration, at start: Duration, of programme: Broadcast, _ numbering: Numbering, rate: Int
    ) -> Broadcast {
        let left = programme.pagesAired(at: start)..<programme.pagesAired(at: start + length)
        return programme.changingPages { number, page in
            if number >= left.upperBound {
                if numbering == .continues { page.sequence -= UInt32(left.count) }
                if numbering == .positionsProceed, page.granule >= 0 {
                    page.granule -= Int64((length.inSeconds * Double(rate)).rounded())
                }
            }
            return !left.contains(number)
        }
    }

    @Test("B20: Frames that are missing inside one connection make one gap at their place", arguments: encodings)
    func hole(_ encoding: ReferenceProgramme.Encoding) async throws {
        let programme = try await Self.programme(encoding)
        for numbering in [Numbering.jumps, .continues] {
            let sent = leavingOut(.seconds(3), at: .seconds(50), of: programme, numbering, rate: 0)
            let outcome = run(sent, of: programme)
            let said: Comment = "\(numbering): \(outcome)"
            let gap = try #require(outcome.heard.gaps.first, said)
            let lost = outcome.report.lost
            #expect(outcome.heard.gaps.count == 1 && !lost.isEmpty, said)
            #expect(outcome.report.duplicated.isEmpty && outcome.report.foreign == 0, said)
            #expect(gap.isInsideConnection && gap.failure == nil)
            let missing = lost.reduce(Duration.zero) { $0 + programme.frames[$1].length }
            let frame = try #require(programme.frames.map(\.length).max())
            #expect(abs(try #require(gap.length, said).inSeconds - missing.inSeconds) <= frame.inSeconds, said)
            let before = try #require(outcome.heard.framesBeforeGaps.first)
            #expect(outcome.report.places[before - 1] == lost[0] - 1, said)
            #expect(outcome.snapshot.reconnects == 0, said)
            #expect(outcome.heard.discontinuities.count == 2, said)
        }
    }

    @Test("B20: The gap of a hole is dated, and the audio after it keeps its true air time")
    func airTime() async throws {
        let programme = try await Self.programme(.opus(96))
        let sent = leavingOut(.seconds(3), at: .seconds(50), of: programme, .jumps, rate: 0)
        let outcome = run(sent, of: programme, for: .seconds(15))
        let gap = try #require(outcome.heard.gaps.first)
        // The reactor's clock began 40 s into the programme.
        let lost = try #require(outcome.report.lost.first)
        // The monotonic clock of a manual reactor begins at 1 s.
        let began = try #require(outcome.heard.wallStart) + .seconds(1)
        let aired = began + (programme.frames[lost].start - .seconds(40))
        #expect(abs((gap.at - aired).inSeconds) < 0.3, "\(gap.at) for \(aired)")
        let map = try #require(outcome.heard.airTimes.last)
        let end = began + .seconds(15)
        let last = map.instant(ofSample: outcome.snapshot.position.samples)
        #expect(abs((last - end).inSeconds) < 0.5, "\(last) at \(end)")
    }

    @Test("B20: Page numbers that jump alone make a gap, which has a length if a long silence shows it")
    func numbersAlone() async throws {
        let programme = try await Self.programme(.opus(96))
        for (left, length) in [(Duration.seconds(1.5), nil), (.seconds(3), Duration.seconds(3))] {
            let sent = leavingOut(left, at: .seconds(50), of: programme, .positionsProceed, rate: 100_000)
            let outcome = run(sent, of: programme)
            #expect(outcome.heard.gaps.count == 1, "\(outcome)")
            let said = try #require(outcome.heard.gaps.first).length
            #expect(said.map { abs(($0 - (length ?? .zero)).inSeconds) < 0.2 } ?? (length == nil), "\(outcome)")
            #expect(outcome.snapshot.reconnects == 0)
        }
    }

    @Test(
        "B20: A claim of more audio than can be missing makes a gap without a length",
        arguments: [1 << 62, 48_000 * 120, 48_000 * 5] as [Int64])
    func claims(_ samples: Int64) async throws {
        let programme = try await Self.programme(.opus(96))
        let from = programme.pagesAired(at: .seconds(50))
        let sent = programme.changingPages { number, page in
            if number >= from { page.granule += samples }
            return true
        }
        let outcome = run(sent, of: programme)
        #expect(outcome.report.exactStretch != nil, "\(outcome)")
        #expect(outcome.heard.gaps.map(\.length) == [samples == 48_000 * 5 ? .seconds(5) : nil], "\(outcome)")
        #expect(outcome.snapshot.reconnects == 0)
    }

    @Test("Granule positions that never agree with the packets are ignored", arguments: encodings)
    func nonsense(_ encoding: ReferenceProgramme.Encoding) async throws {
        let programme = try await Self.programme(encoding)
        let sent = [
            programme.changingPages { _, page in
                page.granule *= 3
                return true
            },
            programme.changingPages { _, page in
                page.granule = 0
                return true
            },
        ]
        for sent in sent {
            let outcome = run(sent, of: programme)
            #expect(outcome.isWhole, "\(outcome)")
        }
    }

    @Test("A clean connection, its burst, and splices within pages show no hole", arguments: encodings)
    func clean(_ encoding: ReferenceProgramme.Encoding) async throws {
        let programme = try await Self.programme(encoding)
        for time in stride(from: 6.0, to: 8, by: 0.37) {
            let outcome = run(
                programme, of: programme, faults: [.inFrame(after: .seconds(time), .reset)], for: .seconds(15))
            #expect(outcome.isWhole && outcome.heard.splices.count == 1, "\(time): \(outcome)")
        }
    }

    @Test("A hole in repeated frames makes no gap, and a hole after the tail does")
    func holeAtSplice() async throws {
        let programme = try await Self.programme(.opus(96))
        // The first connection is cut at 48 s of the programme. The new one begins five seconds before that.
        for (start, gaps) in [(45.0, 0), (46.0, 0), (48.6, 1), (49.0, 1), (52.0, 1)] {
            let holed = leavingOut(.seconds(0.6), at: .seconds(start), of: programme, .jumps, rate: 0)
            let outcome = run(programme, holed, of: programme, faults: [.inFrame(after: .seconds(8), .close)])
            let said: Comment = "\(start): \(outcome)"
            #expect(outcome.heard.gaps.count == gaps && outcome.heard.splices.count == 1, said)
            #expect(outcome.report.lost.isEmpty == (gaps == 0) && outcome.report.duplicated.isEmpty, said)
            let missing = outcome.report.lost.reduce(Duration.zero) { $0 + programme.frames[$1].length }
            if let gap = outcome.heard.gaps.first {
                #expect(abs(try #require(gap.length).inSeconds - missing.inSeconds) < 0.03, said)
            }
        }
    }
}
