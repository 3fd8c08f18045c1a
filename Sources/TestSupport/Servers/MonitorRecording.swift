// SPDX-License-Identifier: MIT

import Instants
import TestTools

/// A recording of the sound that a sink of a ``SoundServer`` plays, including all silence. `parec` records it from the
/// sink's monitor.
package final class MonitorRecording: Sendable {
    package let sampleRate: Int
    package let channels: Int
    private let process: ChildProcess

    /// Starts the recording and waits for the first samples, which may be silence. Blocks for a moment.
    package init(
        _ server: some SoundServer, sink: String = "speaker", sampleRate: Int? = nil, channels: Int = 2,
        latency: Duration = .milliseconds(5)
    ) throws {
        self.sampleRate = sampleRate ?? server.sampleRate
        self.channels = channels
        process = try ChildProcess(
            .parec,
            [
                "--device=\(sink).monitor", "--format=float32le", "--rate=\(self.sampleRate)",
                "--channels=\(channels)", "--raw",
                "--latency-msec=\(Int(latency.inSeconds * 1000))",
            ], environment: server.environment)
        guard waitUntil(.seconds(10), { !process.isRunning || !process.outputSoFar.isEmpty }), process.isRunning else {
            throw SetupError("parec hears nothing:\n\(process.errorSoFar)")
        }
    }

    /// The values recorded so far, interleaved by channel. Incomplete samples are left out.
    package var values: [Float] {
        let bytes = process.outputSoFar
        let whole = bytes.count - bytes.count % (4 * channels)
        return bytes[..<whole].withUnsafeBytes { raw in
            (0..<(whole / 4)).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
    }

    /// The number of samples recorded so far, per channel.
    package var count: Int { process.outputSoFar.count / (4 * channels) }

    /// The values of one channel recorded so far.
    package func channel(_ number: Int) -> [Float] {
        let values = values
        return stride(from: number, to: values.count, by: channels).map { values[$0] }
    }

    /// Waits until the first channel of the recording satisfies `condition`; false on timeout. Blocks.
    package func waits(_ limit: Duration, for condition: ([Float]) -> Bool) -> Bool {
        waitUntil(limit) { condition(channel(0)) }
    }

    /// Ends the recording.
    package func stop() { process.kill() }
}
