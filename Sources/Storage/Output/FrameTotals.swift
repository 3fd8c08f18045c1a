// SPDX-License-Identifier: MIT

import RadioFormats

/// Totals of a run of frames.
package struct FrameTotals: Hashable, Sendable {
    package var frames: Int64
    /// Bytes of frames, without headers and the pages around them.
    package var bytes: Int64
    package var samples: Int64

    package init(frames: Int64 = 0, bytes: Int64 = 0, samples: Int64 = 0) {
        self.frames = frames
        self.bytes = bytes
        self.samples = samples
    }

    package static func += (sum: inout FrameTotals, more: FrameTotals) {
        sum.frames += more.frames
        sum.bytes += more.bytes
        sum.samples = sum.samples.addingSaturated(more.samples)
    }

    package static func -= (sum: inout FrameTotals, less: FrameTotals) {
        sum.frames -= less.frames
        sum.bytes -= less.bytes
        sum.samples = sum.samples.addingSaturated(-less.samples)
    }
}

extension WriterItem {
    var totals: FrameTotals {
        FrameTotals(frames: Int64(frames), bytes: Int64(frameBytes), samples: samples)
    }
}
