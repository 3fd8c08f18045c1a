// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import RadioFormats
import Stations
import TestSupport
import Testing

/// Splices of streams that ffmpeg encoded: MP3, AAC in ADTS, and Ogg, whose connections begin with header pages.
struct ContainerSpliceTests {
    static let encodings: [ReferenceProgramme.Encoding] = [
        .mp3(128), .mp3Variable(quality: 4), .aac(96), .opus(96), .vorbis(128),
    ]

    private static func programme(
        _ encoding: ReferenceProgramme.Encoding, channels: Int = 2, seed: Int = 1
    ) async throws -> Broadcast {
        let sampleRate = if case .opus = encoding { 48_000 } else { 44_100 }
        return try Broadcast(
            await ReferenceProgramme.make(
                .init(encoding, sampleRate: sampleRate, channels: channels, seconds: 95, seed: seed)))
    }

    private func run(
        _ script: LiveScript, hearing programme: Broadcast, for length: Duration = .seconds(45)
    ) -> VirtualStation.Outcome {
        VirtualStation(script, hearing: HeardFrames(of: programme)).run(for: length)
    }

    @Test(
        "A1: A connection that is cut in mid-frame or mid-page every 8 s costs no frame and repeats none",
        arguments: encodings)
    func cuts(_ encoding: ReferenceProgramme.Encoding) async throws {
        let programme = try await Self.programme(encoding)
        for effect in [LiveFault.Effect.close, .reset] {
            let script = LiveScript(.stream(LiveStream(programme, faults: [.inFrame(after: .seconds(8), effect)])))
            let outcome = run(script, hearing: programme)
            #expect(outcome.isWhole, "\(effect): \(outcome)")
            #expect(outcome.snapshot.reconnects >= 4, "\(outcome)")
            #expect(outcome.log.accepts.count <= outcome.log.faults.count + 1, "\(outcome)")
            #expect(outcome.heard.longestPause <= .seconds(1), "\(outcome.heard.longestPause)")
            #expect(outcome.heard.formats.count == 1)
        }
    }

    @Test("A2: A hedge replaces a connection that falls silent after 8 s, and no frame is lost", arguments: encodings)
    func stalls(_ encoding: ReferenceProgramme.Encoding) async throws {
        let programme = try await Self.programme(encoding)
        let script = LiveScript(.stream(LiveStream(programme, faults: [.at(.seconds(8), .stall)])))
        let outcome = run(script, hearing: programme)
        #expect(outcome.isWhole, "\(outcome)")
        #expect(outcome.snapshot.reconnects >= 4 && outcome.snapshot.hedges >= 4, "\(outcome)")
        #expect(outcome.log.accepts.count <= outcome.log.faults.count + 1, "\(outcome)")
        #expect(outcome.heard.longestPause <= .milliseconds(3_500), "\(outcome.heard.longestPause)")
        #expect(outcome.heard.formats.count == 1)
    }

    @Test("A station that is gone for 12 s leaves one gap of the right length", arguments: encodings)
    func gone(_ encoding: ReferenceProgramme.Encoding) async throws {
        let programme = try await Self.programme(encoding)
        let script = LiveScript(
            .stream(LiveStream(programme)), absences: [.init(.seconds(8), for: .seconds(12), .gone)])
        let outcome = run(script, hearing: programme)
        let gap = try #require(outcome.heard.gaps.first)
        #expect(outcome.heard.gaps.count == 1)
        #expect(outcome.report.duplicated.isEmpty && outcome.report.foreign == 0, "\(outcome)")
        let missing = outcome.report.lost.reduce(Duration.zero) { $0 + programme.frames[$1].length }
        let length = try #require(gap.length)
        #expect(abs((length - missing).inSeconds) <= 0.25, "\(length) for \(missing)")
        #expect(outcome.heard.formats.count == 1)
    }

    @Test("A restarted encoder makes one gap, no splice, and a new format if its format differs", arguments: [1, 2])
    func restarted(channels: Int) async throws {
        for encoding in [ReferenceProgramme.Encoding.opus(96), .vorbis(128), .aac(96)] {
            let programme = try await Self.programme(encoding)
            let other = try await Self.programme(encoding, channels: channels, seed: 2)
            let script = LiveScript { visit in
                visit.number == 0
                    ? .stream(LiveStream(programme, faults: [.inFrame(after: .seconds(10), .close)]))
                    : .stream(LiveStream(other))
            }
            let outcome = run(script, hearing: programme, for: .seconds(14))
            #expect(outcome.heard.gaps.count == 1 && outcome.heard.splices.isEmpty, "\(encoding): \(outcome)")
            #expect(outcome.report.lost.isEmpty && outcome.report.duplicated.isEmpty, "\(encoding): \(outcome)")
            #expect(outcome.heard.formats.count == (channels == 2 ? 1 : 2), "\(encoding)")
            #expect(outcome.report.foreign > 100, "\(encoding): \(outcome)")
        }
    }

    @Test("A station that changes from MP3 to AAC at a cut has one gap and a new format at the first AAC frame")
    func otherCodec() async throws {
        let programme = try await Self.programme(.mp3(128))
        let other = try await Self.programme(.aac(96))
        let script = LiveScript { visit in
            visit.number == 0
                ? .stream(LiveStream(programme, faults: [.inFrame(after: .seconds(10), .reset)]))
                : .stream(LiveStream(other))
        }
        let outcome = run(script, hearing: programme, for: .seconds(20))
        #expect(outcome.heard.formats.map(\.format.codec) == [.mp3, .aac], "\(outcome.heard.formats)")
        #expect(outcome.heard.gaps.count == 1 && outcome.report.lost.isEmpty, "\(outcome)")
        #expect(outcome.report.duplicated.isEmpty && outcome.report.disorders == 0, "\(outcome)")
    }
}
