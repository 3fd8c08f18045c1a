// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// A line-up tone made by a real encoder. Its period divides the length of a frame, so all frames are equal, and
/// whatever looks like a header in one frame is at the same place in every other.
struct SteadyTone {
    var name: String
    /// Frames from the middle of the tone.
    var frames: [[UInt8]]

    /// One run of an encoder.
    private struct Output {
        var encoder: String
        /// The bit rate in kbit/s.
        var rate: Int
        var options: [String] = []

        var isLayerTwo: Bool { encoder == "mp2" || encoder == "libtwolame" }
        var name: String { ([encoder, "\(rate)"] + options).joined(separator: "-") }
    }

    /// Makes tones of about 1 kHz with several encoders, in every bit rate that each encoder supports. With two
    /// channels, the tones include the stereo modes that encoders do not choose by default.
    static func all(sampleRate: Int, channels: Int) throws -> [SteadyTone] {
        let tools = try RealEncoder()
        let outputs = outputs(sampleRate, channels)
        // At 11,025 Hz and its multiples, a frame is not a whole number of periods of 1 kHz.
        let frequency = sampleRate % 11_025 == 0 ? "995.3125" : "1000"
        let seconds = sampleRate < 16_000 ? "3" : "2.5"
        var arguments = [
            "-v", "error", "-f", "lavfi", "-i", "sine=frequency=\(frequency):r=\(sampleRate):d=\(seconds)",
        ]
        for output in outputs {
            arguments += ["-ac", "\(channels)", "-c:a", output.encoder, "-b:a", "\(output.rate)k"] + output.options
            arguments +=
                output.isLayerTwo ? ["-f", "mp2"] : ["-f", "mp3", "-write_xing", "0", "-id3v2_version", "0"]
            arguments += ["-map_metadata", "-1", tools.path(output.name)]
        }
        try tools.run("ffmpeg", arguments)
        return try outputs.map { output in
            // Frames are found by their plain headers, not by the framer under test.
            let file = try FrameChecker(
                source: tools.read(output.name), container: .mpegAudio, allowingEqualFrames: true)
            try #require(file.frames.count > 34, "\(output.name): \(file.frames.count) frames")
            return SteadyTone(
                name: "\(output.name), \(sampleRate) Hz, \(channels) channels",
                frames: file.frames[10..<34].map { Array($0) })
        }
    }

    private static func outputs(_ sampleRate: Int, _ channels: Int) -> [Output] {
        let isMPEG1 = sampleRate >= 32_000
        let layerThree =
            isMPEG1
            ? [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
            // LAME encodes MPEG 2.5 at no more than 64 kbit/s.
            : [8, 16, 24, 32, 40, 48, 56, 64] + (sampleRate >= 16_000 ? [80, 96, 112, 128, 144, 160] : [])
        var outputs = layerThree.map { Output(encoder: "libmp3lame", rate: $0) }
        // Shine supports other bit rates only at some sample rates.
        if isMPEG1 { outputs += [32, 40, 64, 80, 128, 160].map { Output(encoder: "libshine", rate: $0) } }
        if sampleRate >= 16_000 {
            let layerTwo = isMPEG1 ? [32, 48, 56, 64, 80, 96, 112, 128, 160, 192] : [16, 32, 64, 96, 128, 160]
            outputs += layerTwo.filter { !isMPEG1 || channels == 1 || $0 >= 64 }.map {
                Output(encoder: "mp2", rate: $0)
            }
        }
        guard channels == 2 else { return outputs }
        outputs += [16, 64].map {
            Output(encoder: "libmp3lame", rate: isMPEG1 ? 2 * $0 : $0, options: ["-joint_stereo", "0"])
        }
        if sampleRate >= 16_000 {
            outputs += ["joint_stereo", "dual_channel"].map {
                Output(encoder: "libtwolame", rate: 128, options: ["-mode", $0])
            }
        }
        return outputs
    }
}
