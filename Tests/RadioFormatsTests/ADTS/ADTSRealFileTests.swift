// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// Files made by a real encoder.
struct ADTSRealFileTests {
    @Test(
        "Every frame of a file made by FFmpeg is found",
        arguments: [(44_100, 2, 128), (22_050, 1, 32), (48_000, 2, 192)])
    func ffmpegFiles(_ rate: Int, _ channels: Int, _ bitRate: Int) async throws {
        let programme = try await ReferenceProgramme.make(
            .init(.aac(bitRate), sampleRate: rate, channels: channels, seconds: 4))
        let said = expectSameEvents(programme.bytes, twoPieceSplits: 4, randomSplits: 2, truncations: 2) {
            ADTSFramer()
        }
        #expect(said.skipped() == 0 && said.discontinuities == 0 && said.frameBytes == programme.bytes)
        #expect(said.formats.map(\.sampleRate) == [rate] && said.formats.map(\.channels) == [channels])
        // The encoder rounds up to whole frames and may begin with a priming frame.
        #expect(4 * rate..<4 * rate + 3 * 1024 ~= said.frames.count * 1024)
    }
}
