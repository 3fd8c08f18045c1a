// SPDX-License-Identifier: MIT

import Instants

/// What was heard last, as marks: a ring of the last two minutes, and never more than ``mostFrames``. A value.
package struct FrameMemory: Sendable {
    /// More than the ninety seconds within which a programme is found again.
    private static let depth = Duration.seconds(120)
    /// Vorbis has frames of three milliseconds.
    private static let mostFrames = 1 << 15

    private var marks: [FrameMark] = []
    /// Where the oldest lies, once the ring is full.
    private var oldest = 0
    /// How long the frames play, in nanoseconds.
    private var heard: Int64 = 0
    private var isFull = false

    package init() {}

    package var isEmpty: Bool { marks.isEmpty }

    /// Takes the next frame, and forgets the oldest one once the ring is full.
    package mutating func append(_ mark: FrameMark) {
        guard isFull else {
            marks.append(mark)
            heard += Int64(mark.nanoseconds)
            isFull = heard >= Self.depth.wholeNanoseconds || marks.count >= Self.mostFrames
            return
        }
        heard += Int64(mark.nanoseconds) - Int64(marks[oldest].nanoseconds)
        marks[oldest] = mark
        oldest += 1
        if oldest == marks.count { oldest = 0 }
    }

    /// Takes the frames that have a mark.
    package mutating func append(_ batch: FrameBatch) {
        for index in 0..<batch.count {
            if let mark = batch[index].mark { append(mark) }
        }
    }

    /// How long the remembered frames play.
    package var duration: Duration { .nanoseconds(heard) }

    /// All marks, the oldest first.
    package var inOrder: [FrameMark] { Array(marks[oldest...] + marks[..<oldest]) }
}
