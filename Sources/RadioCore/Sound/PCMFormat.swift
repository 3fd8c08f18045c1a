// SPDX-License-Identifier: MIT

import Instants
import RadioFormats

/// How decoded audio lies in memory: 32-bit floats of the machine's byte order, nominally from -1 to 1, interleaved in
/// the order of channels of WAVE files.
///
/// What belongs to one instant, a value for each channel, is called a sample throughout, as in ``Position``.
package struct PCMFormat: Hashable, Sendable {
    /// Samples a second.
    package var sampleRate: Int
    package var channels: Int

    /// What decoders may say; beyond it, sound servers refuse a stream.
    package static let sampleRates = 4_000...384_000
    package static let channelCounts = 1...8

    package init(sampleRate: Int, channels: Int) {
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// Bytes of one sample, all channels.
    package var bytesPerSample: Int { channels * MemoryLayout<Float>.size }

    /// How many whole samples play in this time; saturates.
    package func samples(in duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: Int64(sampleRate))
        guard !overflow else { return seconds < 0 ? .min : .max }
        return Int(whole.addingSaturated(attoseconds / 1_000_000_000 * Int64(sampleRate) / 1_000_000_000))
    }

    /// How long so many samples play.
    package func duration(of samples: Int) -> Duration { .samples(Int64(samples), at: sampleRate) }
}
