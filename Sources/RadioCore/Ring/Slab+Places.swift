// SPDX-License-Identifier: MIT

import Instants
import RadioFormats

// Where in a slab something is. Loop thread only: these read the frame table.
extension Slab {
    /// Index of the first frame that ends behind `offset`.
    package func frame(at offset: Int) -> Int { firstFrame { range(ofFrame: $0).upperBound > offset } }

    /// How long the frames from `offset` to the end play; a frame half sent counts whole.
    package func duration(from offset: Int) -> Duration { duration(fromFrame: frame(at: offset)) }

    /// Position of the frame at, or around, `offset`.
    package func position(at offset: Int) -> Position { position(ofFrame: frame(at: offset)) }

    /// Position of a frame, or of the next one.
    func position(ofFrame index: Int) -> Position {
        Position(
            frames: position.frames + Int64(index), bytes: position.bytes + Int64(start(ofFrame: index)),
            samples: position.samples.addingSaturated(samples(ofFrames: 0..<index)))
    }

    /// Index of the newest frame from which at least `behind` is left; 0 where the slab is shorter.
    func frameIndex(behind: Duration) -> Int {
        firstFrame { duration(fromFrame: $0 + 1) < behind }
    }

    /// Offset of the newest frame from which at least `behind` is left, preferably one without back reference.
    func joinOffset(behind: Duration) -> Int {
        let index = frameIndex(behind: behind)
        let whole = (0..<min(index + 1, frameCount)).last(where: isPlayedWhole)
        return start(ofFrame: whole ?? index)
    }

    private func duration(fromFrame index: Int) -> Duration {
        .samples(samples(ofFrames: index..<frameCount), at: format.sampleRate)
    }

    /// The first frame for which a condition holds that holds for all behind it as well; ``frameCount`` where none does.
    private func firstFrame(where isWanted: (Int) -> Bool) -> Int {
        var (low, high) = (0, frameCount)
        while low < high {
            let middle = (low + high) / 2
            if isWanted(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
