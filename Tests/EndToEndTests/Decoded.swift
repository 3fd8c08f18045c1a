// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import TestTools
import Testing

/// A programme as ffmpeg decodes it, and its comparison with recorded sound.
enum Decoded {
    /// A channel of a stream, decoded by ffmpeg at the sink's rate; `ending` is the extension of such files.
    static func channel(
        _ number: Int = 0, of bytes: [UInt8], ending: String = "mp3", rate: Int = 44_100
    ) async throws -> [Float] {
        let folder = try TemporaryFolder()
        let path = folder.file("reference." + ending)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let child = try ChildProcess(
            .ffmpeg,
            ["-v", "error"] + (ending == "opus" ? ["-c:a", "libopus"] : [])
                + ["-i", path, "-f", "f32le", "-ac", "2", "-ar", "\(rate)", folder.file("out")], holding: folder)
        #expect(try await child.outcome(within: .seconds(60)).succeeded)
        let raw = try TestTools.bytes(ofFile: folder.file("out"))
        return raw.withUnsafeBytes { raw in
            stride(from: 4 * number, to: raw.count - 3, by: 8)
                .map { raw.loadUnaligned(fromByteOffset: $0, as: Float.self) }
        }
    }

    /// The part from the first sound to the last, without the fades.
    static func sound(_ values: [Float]) -> ArraySlice<Float> {
        guard let first = values.firstIndex(where: { abs($0) > 0.001 }),
            let last = values.lastIndex(where: { abs($0) > 0.001 }), last - first > 8_820
        else { return [] }
        return values[(first + 4_410)..<(last - 4_410)]
    }

    /// Expects that each second of the recorded sound is in the reference, at the same offset as the second before it,
    /// with at least the signal-to-noise ratio `cleanness`.
    static func expect(
        _ heard: [Float], in reference: [Float], seconds: Int, rate: Int = 44_100, cleanness: Double = 60,
        _ name: String = ""
    ) async throws {
        let sound = Array(sound(heard))
        let comparison = try await onThread {
            SignalComparison(played: sound, heard: reference, length: rate)
        }
        #expect(comparison.sections.count >= seconds - 1, "\(name)")
        #expect(comparison.worst ?? 0 >= cleanness, "\(name) \(comparison.sections.map { Int($0.ratio) })")
        #expect(comparison.jumps.allSatisfy { $0 == 0 }, "\(name) \(comparison.jumps)")
    }
}

/// A sound server, and the recording of what it plays.
func heardServer() async throws -> (PulseServer, MonitorRecording) {
    try await onThread {
        let server = try PulseServer()
        return (server, try MonitorRecording(server))
    }
}
