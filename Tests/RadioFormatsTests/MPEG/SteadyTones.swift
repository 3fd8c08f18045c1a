// SPDX-License-Identifier: MIT

import Foundation
import RadioFormats

/// A line-up tone as real encoders make it: its period divides that of the frames, so all frames are alike, and whatever
/// looks like a header in one of them stands at the same place in every other.
struct SteadyTone {
    var name: String
    /// Frames from the middle of the tone.
    var frames: [[UInt8]]

    /// Tones of 1 kHz by several encoders, in every bit rate that these know.
    static func all(sampleRate: Int, channels: Int) throws -> [SteadyTone] {
        let lower = sampleRate < 32_000
        let layerThree =
            lower
            ? [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
            : [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
        let layerTwo = lower ? [16, 32, 64, 96, 128, 160] : [32, 48, 56, 64, 80, 96, 112, 128, 160, 192]
        var outputs = layerThree.map { ("libmp3lame", "mp3", $0) }
        // Shine makes some others only of some sample rates.
        if !lower { outputs += [32, 40, 64, 80, 128, 160].map { ("libshine", "mp3", $0) } }
        if sampleRate >= 16_000 {
            outputs += layerTwo.filter { lower || channels == 1 || $0 >= 64 }.map { ("mp2", "mp2", $0) }
        }
        let tools = try RealEncoder()
        var arguments = ["-v", "error", "-f", "lavfi", "-i", "sine=frequency=1000:r=\(sampleRate):d=2.5"]
        for (encoder, format, rate) in outputs {
            arguments += ["-ac", "\(channels)", "-c:a", encoder, "-b:a", "\(rate)k", "-f", format]
            arguments += format == "mp3" ? ["-write_xing", "0", "-id3v2_version", "0"] : []
            arguments += ["-map_metadata", "-1", tools.path("\(encoder)-\(rate)")]
        }
        try tools.run("ffmpeg", arguments)
        return try outputs.compactMap { encoder, _, rate in
            let bytes = try tools.read("\(encoder)-\(rate)")
            let frames = FramerTranscript(of: [bytes[...]], by: MPEGAudioFramer()).frames.map(\.bytes)
            guard frames.count > 34 else { return nil }
            return SteadyTone(
                name: "\(encoder) \(rate) kbit/s, \(sampleRate) Hz, \(channels)", frames: Array(frames[10..<34]))
        }
    }
}
