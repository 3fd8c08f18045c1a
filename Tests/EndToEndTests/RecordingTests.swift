// SPDX-License-Identifier: MIT

import TestSupport
import TestTools
import Testing

/// Recordings of twenty seconds from a real Icecast, compared with the audio that was sent.
struct RecordingTests {
    private static let programmes: [ReferenceProgramme.Parameters] = [
        .init(.mp3(128)), .init(.mp3(320), sampleRate: 48_000), .init(.mp3Variable(quality: 4)),
        .init(.mp3(32), sampleRate: 22_050, channels: 1),
        .init(.mp3(32), sampleRate: 22_050, channels: 1, usesReservoir: false),
        .init(.mp2(192), sampleRate: 48_000), .init(.aac(96)), .init(.opus(96), sampleRate: 48_000),
        .init(.vorbis(128)),
    ]

    @Test("Every frame of a recording is there once and in order, and every file plays", arguments: programmes)
    func recording(_ parameters: ReferenceProgramme.Parameters) async throws {
        let programme = try await ReferenceProgramme.make(parameters)
        let checker = try programme.checker()
        let (tagged, pure) = (try TemporaryFolder(), try TemporaryFolder())
        let server = try await onThread { try IcecastServer() }
        let feeder = try await Feeder.start(programme, to: server, mount: "/radio")
        let arguments = ["record", server.url("/radio"), "--segment", "5s", "--duration", "20s", "--json", "--output"]
        async let first = Aircheck.run(arguments + [tagged.path])
        async let second = Aircheck.run(arguments + [pure.path, "--pure"])
        let outcomes = try await (first, second)
        try await onThread { try feeder.stop() }

        for (outcome, isPure) in [(outcomes.0, false), (outcomes.1, true)] {
            #expect(outcome.ending == .exited(0), "\(outcome.standardError)")
            let report = try Report(outcome)
            // Twenty seconds and a burst of up to six seconds are cut at every fifth second of the clock.
            #expect((4...7).contains(report.files.count), "\(report.files)")
            #expect(report.error == nil && report.gaps.isEmpty && report.reconnects == 0)
            let files = try report.files.map { try bytes(ofFile: $0) }
            let found = checker.check(files)
            let stretch = try #require(found.exactStretch, "\(found)")
            #expect(report.frames == stretch.count)
            #expect(report.frames == report.segments.reduce(0) { $0 + $1.frames })
            #expect(report.bytes == checker.frames[stretch].reduce(0) { $0 + $1.count })
            if isPure && parameters.encoding.container != .ogg {
                #expect(files.flatMap { $0 } == checker.stretch(stretch))
                #expect(found.tagBytes == 0 && found.infoFrames == 0)
            }
            try await judge(report, parameters, isPure: isPure)
        }
        #expect(try pure.contents().allSatisfy { !$0.hasSuffix(".part") })
    }

    /// Checks each file with other programs, and the cuts at every fifth second of the clock.
    private func judge(_ report: Report, _ parameters: ReferenceProgramme.Parameters, isPure: Bool) async throws {
        // Vorbis has packets of two lengths, and the first packet of a file only prepares the decoder.
        let isVorbis = if case .vorbis = parameters.encoding { true } else { false }
        let frame = report.seconds / Double(report.frames) * (isVorbis ? 2 : 1)
        // An Opus file that begins in mid-stream says that its first 80 ms are not to be played (RFC 7845, 4.6).
        let isOpus = if case .opus = parameters.encoding { true } else { false }
        let preSkip = isOpus ? 0.08 : 0
        for (number, segment) in report.segments.enumerated() where segment.isLongEnoughToProbe {
            let isMPEG = parameters.encoding.container == .mpegAudio
            let (errors, warnings, decoded, description) = try await onThread {
                (
                    try MediaProbe.decodingErrors(segment.file),
                    isMPEG ? try MediaProbe.mpg123Warnings(segment.file) : "",
                    try MediaProbe.decodedSeconds(segment.file), try MediaProbe.describe(segment.file)
                )
            }
            #expect(errors == "", "\(segment.file)")
            // The first frame of a file may need data from the last frame of the previous file, and mpg123 then
            // complains.
            let complaints = warnings.split(separator: "\n").filter { !$0.contains("part2_3_length") }
            #expect(parameters.usesReservoir ? complaints.isEmpty : warnings.isEmpty, "\(segment.file): \(warnings)")
            let played = segment.seconds - preSkip
            #expect(abs(decoded - played) <= frame, "\(segment.file): \(decoded) and \(played) s")
            // ffprobe guesses the duration if a file does not contain it. The duration of Opus includes the samples to
            // be skipped.
            let isDeclared = parameters.encoding.container == .ogg || (parameters.encoding.isLayerIII && !isPure)
            #expect(
                !isDeclared || abs(description.seconds - segment.seconds) <= frame,
                "\(segment.file): \(description.seconds) and \(segment.seconds) s")
            #expect(description.sampleRate == parameters.sampleRate && description.channels == parameters.channels)
            guard number > 0, let second = secondOfMinute(segment.at) else { continue }
            let offset = second.truncatingRemainder(dividingBy: 5)
            #expect(min(offset, 5 - offset) < 0.15, "\(segment.file) begins at \(segment.at)")
        }
    }
}

/// The seconds in a time such as `2026-11-21T13:05:09.123+00:00`.
private func secondOfMinute(_ time: String) -> Double? {
    time.split(separator: ":").dropFirst(2).first.flatMap { Double($0.prefix { $0.isNumber || $0 == "." }) }
}
