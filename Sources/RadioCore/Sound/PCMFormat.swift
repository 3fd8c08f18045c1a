// SPDX-License-Identifier: MIT

import Instants
import RadioFormats

/// The layout of decoded audio in memory: 32-bit floats of the machine's byte order, nominally from -1 to 1,
/// interleaved in the channel order of WAVE files.
///
/// A sample consists of the values of all channels at one instant, as in ``Position``.
package struct PCMFormat: Hashable, Sendable {
    /// Samples per second.
    package var sampleRate: Int
    package var channels: Int

    /// The sample rates and channel counts that decoders may produce. Sound servers refuse a stream beyond them.
    package static let sampleRates = 4_000...384_000
    package static let channelCounts = 1...8

    package init(sampleRate: Int, channels: Int) {
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// The bytes of one sample, all channels together.
    package var bytesPerSample: Int { channels * MemoryLayout<Float>.size }

    /// The number of whole samples in a duration; saturates.
    package func samples(in duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: Int64(sampleRate))
        guard !overflow else { return seconds < 0 ? .min : .max }
        return Int(whole.addingSaturated(attoseconds / 1_000_000_000 * Int64(sampleRate) / 1_000_000_000))
    }

    /// The playing time of `samples` samples.
    package func duration(of samples: Int) -> Duration { .samples(Int64(samples), at: sampleRate) }
}
