// SPDX-License-Identifier: MIT

/// Frames that play as silence and may be inserted between two frames of a stream, any number of times.
///
/// They keep a player alive while there is nothing to play. The frames of a unit belong together, and the unit should
/// be sent whole, so that the frames after it decode as if the unit were not there.
package struct SilentUnit: Hashable, Sendable {
    package let bytes: [UInt8]
    package let frames: Int
    /// The length in samples per channel.
    package let samples: Int

    /// Creates the unit that may follow the frames of `tail`, the last frames of a stream with the newest last. Nil if
    /// the format has no silent frames, or if too few frames were given.
    ///
    /// `bitRate`: the stream's bits per second. Silence that could be smaller is filled up to this rate, because
    /// browsers measure in bytes how much they have buffered: of tiny frames they would wait for minutes.
    package init?(after tail: [[UInt8]], _ format: StreamFormat, bitRate: Double) {
        guard let made = format.container.silence(after: tail, bitRate: bitRate) else { return nil }
        self = made
    }

    /// Creates the unit that begins a file which was cut before some frame. The unit consists of the frames of `tail`
    /// (the newest last) that contain the beginning of that frame's main data, `backReference` bytes before the frame
    /// (``Frame/backReference``). Nil if the frame needs no earlier data, or if too few frames were given.
    package init?(before backReference: Int, of tail: [[UInt8]]) {
        guard let made = MutedMPEGFrames.unit(holding: backReference, of: tail) else { return nil }
        self = made
    }

    init(bytes: [UInt8], frames: Int, samples: Int) {
        self.bytes = bytes
        self.frames = frames
        self.samples = samples
    }

    /// The number of last frames of a stream from which a unit can be created in any format that has silent frames.
    package static let longestTail = 16
}
