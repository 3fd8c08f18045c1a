// SPDX-License-Identifier: MIT

/// Replays a ring's audio from a given frame on, with the events before each frame, exactly as a permanently attached
/// sink has received them. Loop thread only.
package struct Replay: IteratorProtocol, Sequence {
    /// The format, title and air time that apply to the next frame.
    package private(set) var applicable: Timeline.Applicable
    /// The position of the next frame; nil at the live edge.
    package var position: Position? { chunk?.position }

    private let ring: Ring
    private var chunk: Chunk?
    private var entries: ArraySlice<Timeline.Entry>
    /// The number of the next frame.
    private var frame: Int64

    /// Starts at the frame with number `frame`, which must lie between the oldest frame of the ring and the live edge.
    /// Events before that frame are not replayed: ``applicable`` includes them already.
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
