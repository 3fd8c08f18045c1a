// SPDX-License-Identifier: MIT

import Glibc
import Instants

/// What a sink of a ``SoundServer`` plays, as `parec` hears it on the sink's monitor: from its start to its end, silence
/// and all.
package final class MonitorRecording: Sendable {
    package let sampleRate: Int
    package let channels: Int
    private let process: ChildProcess

    /// Starts to record, and waits until the first sound (of silence) has come. Blocks for a moment.
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

    /// The values that were heard so far, interleaved, whole samples.
    package var values: [Float] {
        let bytes = process.outputSoFar
        let whole = bytes.count - bytes.count % (4 * channels)
        return bytes[..<whole].withUnsafeBytes { raw in
            (0..<(whole / 4)).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
    }

    /// How many samples were heard so far.
    package var count: Int { process.outputSoFar.count / (4 * channels) }

    /// One channel of what was heard so far.
    package func channel(_ number: Int) -> [Float] {
        let values = values
        return stride(from: number, to: values.count, by: channels).map { values[$0] }
    }

    /// Waits until it has heard what `condition` wants of the first channel, and says whether it did. Blocks.
    package func waits(_ limit: Duration, for condition: ([Float]) -> Bool) -> Bool {
        waitUntil(limit) { condition(channel(0)) }
    }

    /// Ends the recording.
    package func stop() { process.kill() }
}
