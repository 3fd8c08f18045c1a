// SPDX-License-Identifier: MIT

import Instants

/// The audio that a ring keeps from a frame on, and what was told before each of its frames: the events that a sink
/// heard which has been there all the time. Loop thread only.
package struct Replay: IteratorProtocol, Sequence {
    /// What applies to the next frame.
    package private(set) var applicable: Timeline.Applicable
    /// Where the next frame stands; nil where that is the live edge.
    package var position: Position? { chunk?.position }

    private let ring: Ring
    private var chunk: Chunk?
    private var entries: ArraySlice<Timeline.Entry>
    /// The number of the next frame.
    private var frame: Int64

    /// Begins with the frame of this number, which is to be between the oldest that is kept and the live edge. What
    /// is told before that frame is no event of the replay, and applies already.
    package init(of ring: Ring, _ timeline: Timeline, from frame: Int64) {
        self.ring = ring
        self.frame = frame
        applicable = timeline.applicable(at: frame)
        entries = timeline.entries(after: frame)
        chunk = ring.chunk(from: frame)
    }

    package mutating func next() -> StreamEvent? {
        if let entry = entries.first, entry.frame <= frame {
            entries.removeFirst()
            applicable.apply(entry.event)
            return entry.event
        }
        guard let chunk else { return nil }
        let end = frame + Int64(chunk.frames.count)
        let cut = Swift.min(end, entries.first?.frame ?? end)
        let piece = chunk.subchunk(0..<Int(cut - frame))
        frame = cut
        self.chunk = ring.chunk(from: frame)
        return .chunk(piece)
    }
}
