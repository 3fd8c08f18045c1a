// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// Consecutive frames of a programme on their way to the thread that decodes them. The bytes stay in their slab.
struct TappedFrames: Sendable {
    struct FrameSize: Sendable {
        var length: Int32
        var samples: Int32
    }

    var format: StreamFormat
    var slice: SlabSlice
    var sizes: [FrameSize]
    /// The number of the first frame.
    var number: Int64
    /// Where the first frame begins, in samples of the format.
    var instant: Int64
    /// Where the first frame begins, in playing time since the tap was attached.
    var start: Duration
    /// Whether the first frame does not follow the frame before it.
    var isBreak: Bool
}
