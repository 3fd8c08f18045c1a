// SPDX-License-Identifier: MIT

/// Frames that play as silence and may stand between two frames of a stream, any number of times.
///
/// For whoever has to keep a player alive while there is nothing to play. All of a unit's frames belong together: what
/// follows the unit decodes as if the unit were not there, so it should be sent whole.
package struct SilentUnit: Hashable, Sendable {
    package let bytes: [UInt8]
    package let frames: Int
    /// How much each channel plays, in samples.
    package let samples: Int

    /// Makes the unit that may follow a stream's last frames, the newest last; nil where the format has no such frames,
    /// or too few were given.
    package init?(after tail: [[UInt8]], _ format: StreamFormat) {
        guard let made = format.container.silence(after: tail) else { return nil }
        self = made
    }

    init(bytes: [UInt8], frames: Int, samples: Int) {
        self.bytes = bytes
        self.frames = frames
        self.samples = samples
    }

    /// How many of a stream's last frames are enough for any format that has silent frames.
    package static let longestTail = 16
}
