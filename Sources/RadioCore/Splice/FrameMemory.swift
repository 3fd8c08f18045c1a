// SPDX-License-Identifier: MIT

import Instants

/// The marks of the frames heard last: a ring of two minutes, and never more than ``mostFrames``. A value.
package struct FrameMemory: Sendable {
    /// More than the 90 s within which ``ProgrammeWatch`` finds a programme again.
    private static let depth = Duration.seconds(120)
    /// Vorbis frames may be as short as three milliseconds.
    private static let mostFrames = 1 << 15

    private var marks: [FrameMark] = []
    /// The index of the oldest mark, once the ring is full.
    private var oldest = 0
    /// The playing time of all frames in nanoseconds.
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

    /// Appends the frames that have a mark.
    package mutating func append(_ batch: FrameBatch) {
        for index in 0..<batch.count {
            if let mark = batch[index].mark { append(mark) }
        }
    }

    /// The playing time of the remembered frames.
    package var duration: Duration { .nanoseconds(heard) }

    /// All marks, the oldest first.
    package var inOrder: [FrameMark] { Array(marks[oldest...] + marks[..<oldest]) }
}
