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
    private var heard: Duration = .zero
    private var isFull = false

    package init() {}

    package var isEmpty: Bool { marks.isEmpty }

    /// Takes the next frame, and forgets the oldest where there is enough.
    package mutating func append(_ mark: FrameMark) {
        guard isFull else {
            marks.append(mark)
            heard += mark.duration
            isFull = heard >= Self.depth || marks.count >= Self.mostFrames
            return
        }
        marks[oldest] = mark
        oldest += 1
        if oldest == marks.count { oldest = 0 }
    }

    /// All marks, the oldest first.
    package var inOrder: [FrameMark] { Array(marks[oldest...] + marks[..<oldest]) }
}
