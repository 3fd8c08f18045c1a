// SPDX-License-Identifier: MIT

import RadioFormats

@testable import RadioCore

/// Chunks of frames that contain only zeros.
enum Chunks {
    static func chunk(sizes: [Int], samples: Int = 1_152, sampleRate: Int = 44_100) -> Chunk {
        let format = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: sampleRate, channels: 2)
        let slab = Slab(format: format, capacity: sizes.reduce(0, +))
        for size in sizes {
            let facts = FrameFacts(samples: Int(samples))
            _ = [UInt8](repeating: 0, count: size).withUnsafeBytes { slab.append($0, facts) }
        }
        return Chunk(
            slab: slab, frames: 0..<slab.frameCount, bytes: 0..<slab.committed, position: Position(),
            samples: slab.samples)
    }
}
