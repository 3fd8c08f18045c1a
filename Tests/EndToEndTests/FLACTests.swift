// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// FLAC outside Ogg from a station that breaks off, decoded by programs that are not ours.
struct FLACTests {
    /// Samples of both channels, 24 bits each.
    private static let (blockSize, bytesPerSample) = (4_608, 6)

    @Test("Cut off in mid-frame every five seconds, a recording is one file that decodes to the samples that were sent")
    func samples() async throws {
        let reference = try await ReferenceProgramme.make(.init(.nativeFLAC, seconds: 60))
        let onAir = OnAir(try Broadcast(reference).title("A - B", from: 60))
        let stream = LiveStream(
            onAir.programme, burst: 512 * 1_024, interval: 16_000, faults: [.inFrame(after: .seconds(5), .close)])
        let outcome = try await onAir.record(16, from: LiveOrigin(LiveScript(.stream(stream))), decoding: true)
        #expect(outcome.isWhole && outcome.report.reconnects >= 2, "\(outcome)")
        #expect(outcome.report.splices.count == outcome.report.reconnects, "\(outcome)")
        #expect(outcome.decodingErrors == [""] && outcome.report.files.allSatisfy { $0.hasSuffix("radio.flac") })

        let folder = try TemporaryFolder()
        try folder.write("recorded.flac", outcome.files[0])
        let stretch = try #require(outcome.frames.exactStretch)
        let sent = try await Self.decoded(.ffmpeg, reference.path)
        let first = stretch.lowerBound * Self.blockSize * Self.bytesPerSample
        for tool in [Tool.ffmpeg, .flac] {
            let heard = try await Self.decoded(tool, folder.file("recorded.flac"))
            #expect(heard.count == stretch.count * Self.blockSize * Self.bytesPerSample, "\(tool)")
            let isSame = sent.dropFirst(first).starts(with: heard)
            #expect(isSame, "\(tool)")
        }
        let description = try await onThread { try MediaProbe.describe(folder.file("recorded.flac")) }
        #expect(description.container == "flac" && abs(description.seconds - outcome.report.seconds) < 0.01)
        #expect(description.tags["title"] == "radio" && description.tags["album"] != nil, "\(description.tags)")
    }

    private static func decoded(_ tool: Tool, _ path: String) async throws -> [UInt8] {
        let arguments =
            tool == .flac
            ? ["-s", "-d", "-c", "--force-raw-format", "--endian=little", "--sign=signed", path]
            : ["-v", "error", "-i", path, "-f", "s24le", "-"]
        let outcome = try await ChildProcess(tool.path(), arguments).outcome(within: .seconds(60))
        guard outcome.succeeded else { throw SetupError("\(tool): \(outcome.standardError)") }
        return Array(outcome.standardOutput)
    }
}
