// SPDX-License-Identifier: MIT

import Instants

/// Maps decoded samples to the frames they came from: holds the sample number at which each frame ends. Uses a fixed
/// amount of memory, so the oldest frames are forgotten. Confined to the sound thread.
struct HeardTrack {
    struct FrameEnd {
        /// The number of the first sample after the frame.
        var sample: Int64
        var frame: Int64
        /// The place on the player's timeline at which the frame ends.
        var end: Duration
    }

    private var ends: [FrameEnd] = []
    private var first = 0
    /// The last frame that playback has passed. It is the answer for samples beyond the last known frame.
    private(set) var last = FrameEnd(sample: 0, frame: 0, end: .zero)

    /// The sample at which the latest jump cut the tape: earlier samples are from before the jump.
    private var cut: Int64 = 0
    /// Whether no frame has been added since the latest jump.
    private var isBetween = false

    /// The maximum number of frames: as many as a ``PCMHistory`` may hold of a codec with short frames.
    private static let most = 1_024

    init() { ends.reserveCapacity(Self.most * 2) }

    mutating func append(_ end: FrameEnd) {
        if ends.count == Self.most * 2 { compact() }
        if ends.count - first >= Self.most { first += 1 }
        ends.append(end)
        isBetween = false
    }

    /// Whether a sample belongs to audio decoded after the latest jump, and its frame is known.
    func isKnown(_ sample: Int64) -> Bool { sample >= cut && !isBetween }

    /// The frame that a sample belongs to, and the sample's place on the player's timeline. Forgets the frames before
    /// it.
    mutating func look(at sample: Int64, rate: Int) -> (frame: Int64, heard: Duration) {
        while first < ends.count, ends[first].sample <= sample {
            last = ends[first]
            first += 1
        }
        guard first < ends.count else { return (last.frame, last.end) }
        let next = ends[first]
        return (next.frame, next.end - .samples(next.sample - sample, at: rate))
    }

    /// Cuts the track at a jump: forgets frames whose samples are dropped before they are heard.
    mutating func cut(at sample: Int64) {
        (cut, isBetween) = (sample, true)
        while ends.count > first, let newest = ends.last, newest.sample > sample { ends.removeLast() }
    }

    /// Restarts the sample count at zero.
    mutating func restart() {
        if let newest = ends.last, ends.count > first { last = newest }
        ends.removeAll(keepingCapacity: true)
        first = 0
        (cut, last.sample) = (0, 0)
    }

    private mutating func compact() {
        ends.removeFirst(first)
        first = 0
    }
}
