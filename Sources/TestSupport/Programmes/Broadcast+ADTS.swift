// SPDX-License-Identifier: MIT

import Instants
import RadioCore

extension Broadcast {
    /// A synthetic programme of AAC-LC in ADTS: valid headers, and frames of which no two are equal, without an encoder.
    /// The payload is noise without a sync word. An hour takes a fraction of a second.
    package static func adts(
        _ length: Duration, sampleRate: Int = 48_000, bitRate: Int = 96, seed: UInt64 = 1
    ) -> Broadcast {
        let rates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000]
        guard let index = rates.firstIndex(of: sampleRate) else {
            preconditionFailure("ADTS has no \(sampleRate) Hz")
        }
        var random = SplitMix64(seed: seed)
        var (bytes, frames): ([UInt8], [(end: Int, length: Duration)]) = ([], [])
        let mean = bitRate * 128 * 1024 / sampleRate - 7
        var samples: Int64 = 0
        while Duration.samples(samples, at: sampleRate) < length {
            // Lengths vary, as those of an encoder do.
            let count = mean - 32 + Int(random.next() & 63)
            let size = UInt64(count + 7)
            var header = BitWriter()
            // MPEG-4, no checksum, LC, the rate, two channels.
            header.put(0xFFF1, 16)
            header.put(1, 2)
            header.put(UInt64(index), 4)
            header.put(0, 1)
            header.put(2, 3)
            header.put(0, 4)
            header.put(size, 13)
            header.put(0x7FF, 11)
            header.put(0, 2)
            bytes += header.bytes
            var rest = count
            while rest > 0 {
                let word = random.next() & 0x7F7F_7F7F_7F7F_7F7F
                withUnsafeBytes(of: word) { bytes.append(contentsOf: $0.prefix(rest)) }
                rest -= 8
            }
            let start = Duration.samples(samples, at: sampleRate)
            samples += 1024
            frames.append((bytes.count, Duration.samples(samples, at: sampleRate) - start))
        }
        return Broadcast(bytes: bytes, container: .adts, contentType: "audio/aac", frames: frames)
    }
}
