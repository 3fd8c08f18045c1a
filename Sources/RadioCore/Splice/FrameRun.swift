// SPDX-License-Identifier: MIT

/// A run of consecutive frames.
package struct FrameRun: Hashable, Sendable {
    package var frames: Int
    /// The playing time of the frames.
    package var length: Duration

    package init(frames: Int, length: Duration) {
        self.frames = frames
        self.length = length
    }
}
