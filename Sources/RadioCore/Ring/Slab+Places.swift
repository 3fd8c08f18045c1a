// SPDX-License-Identifier: MIT

import Instants
import RadioFormats

// Where in a slab something is. Loop thread only: these read the frame table.
extension Slab {
    /// Index of the first frame that ends behind `offset`.
    package func frame(at offset: Int) -> Int {
        var low = 0
        var high = ends.count
        while low < high {
            let middle = (low + high) / 2
            if Int(ends[middle]) <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// How long the frames from `offset` to the end play; a frame half sent counts whole.
    package func duration(from offset: Int) -> Duration {
        var samples: Int64 = 0
        for index in frame(at: offset)..<frameCount { samples += Int64(facts[index].samples) }
        return .samples(samples, at: format.sampleRate)
    }

    /// Position of the frame at, or around, `offset`.
    package func position(at offset: Int) -> Position {
        var result = position
        let index = frame(at: offset)
        for earlier in 0..<index {
            result.samples = result.samples.addingSaturated(Int64(facts[earlier].samples))
        }
        result.frames += Int64(index)
        result.bytes += index == 0 ? 0 : Int64(ends[index - 1])
        return result
    }

    /// Index of the newest frame from which at least `behind` is left; 0 where the slab is shorter.
    func frameIndex(behind: Duration) -> Int {
        var left = Duration.zero
        var index = frameCount
        while index > 0, left < behind {
            index -= 1
            left += .samples(Int64(facts[index].samples), at: format.sampleRate)
        }
        return index
    }

    /// Offset of the newest frame from which at least `behind` is left, preferably one without back reference.
    func joinOffset(behind: Duration) -> Int {
        let index = frameIndex(behind: behind)
        let whole = (0..<min(index + 1, frameCount)).last { facts[$0].backReference == 0 }
        let start = whole ?? index
        return start == 0 ? 0 : Int(ends[start - 1])
    }
}
