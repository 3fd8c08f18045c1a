// SPDX-License-Identifier: MIT

package import Instants
import RadioFormats

// Look-ups that examine a chunk's frames one by one, so they are only for chunks in which an event falls.
extension Chunk {
    /// The end of the chunk, in samples.
    var endSample: Int64 { position.samples.addingSaturated(samples) }

    /// The sample range of the first frame.
    var firstFrameSamples: Range<Int64> {
        position.samples..<position.samples.addingSaturated(slab.samples(ofFrames: frames.prefix(1)))
    }

    /// The index in the chunk of the first frame whose first and end sample satisfy the condition; the number of frames
    /// if none does.
    func firstFrame(where isWanted: (_ start: Int64, _ end: Int64) -> Bool) -> Int {
        var start = position.samples
        for index in frames {
            let end = start.addingSaturated(slab.samples(ofFrames: index..<index + 1))
            if isWanted(start, end) { return index - frames.lowerBound }
            start = end
        }
        return frames.count
    }

    /// The number of frames that had ended by the instant. A frame into which the instant falls does not count, as in
    /// ``SegmentPlanner``. Otherwise, a show that ends where a segment begins would leave a segment of one frame.
    package func frames(airedBefore instant: WallInstant, by map: AirTime) -> Int {
        guard map.instant(ofSample: endSample) > instant else { return frames.count }
        return firstFrame { _, end in map.instant(ofSample: end) > instant }
    }
}
