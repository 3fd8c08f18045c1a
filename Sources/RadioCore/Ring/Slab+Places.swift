// SPDX-License-Identifier: MIT

import Instants
import RadioFormats

// Look-ups in the frame table of a slab. Loop thread only.
extension Slab {
    /// The index of the first frame that ends after `offset`.
    package func frame(at offset: Int) -> Int {
        (0..<frameCount).firstByBisection { range(ofFrame: $0).upperBound > offset }
    }

    /// The playing time from `offset` to the end; a frame that is partly sent counts whole.
    package func duration(from offset: Int) -> Duration { duration(fromFrame: frame(at: offset)) }

    /// The position of the frame that starts at or contains `offset`.
    package func position(at offset: Int) -> Position { position(ofFrame: frame(at: offset)) }

    /// The position of a frame, or of the next frame to come.
    func position(ofFrame index: Int) -> Position {
        Position(
            frames: position.frames + Int64(index), bytes: position.bytes + Int64(start(ofFrame: index)),
            samples: position.samples.addingSaturated(samples(ofFrames: 0..<index)))
    }

    /// The index of the newest frame from which at least `behind` of audio is left; 0 if the slab is shorter.
    func frameIndex(behind: Duration) -> Int {
        (0..<frameCount).firstByBisection { duration(fromFrame: $0 + 1) < behind }
    }

    /// The offset of the newest frame from which at least `behind` of audio is left; an earlier frame without back
    /// reference is preferred.
    func joinOffset(behind: Duration) -> Int {
        let index = frameIndex(behind: behind)
        let whole = (0..<min(index + 1, frameCount)).last(where: isPlayedWhole)
        return start(ofFrame: whole ?? index)
    }

    private func duration(fromFrame index: Int) -> Duration {
        .samples(samples(ofFrames: index..<frameCount), at: format.sampleRate)
    }
}
