// SPDX-License-Identifier: MIT

import RadioFormats

/// The part of a programme that is heard, and its place in the item.
package struct Passage: Hashable, Sendable {
    /// The first sample to be heard, counted as in the programme's positions.
    package var first: Int64
    /// The padding at the end, in the same count; nil if nothing is cut off. It comes from the head of a file, to which
    /// other audio may have been appended since, so it is cut off only if the audio ends where the padding ends.
    package var padding: Range<Int64>?
    /// The position of the first sample in the item.
    package var start: Duration
    /// Length of the whole item; nil if unknown or endless.
    package var length: Duration?

    package init(
        first: Int64 = .min, padding: Range<Int64>? = nil, start: Duration = .zero, length: Duration? = nil
    ) {
        self.first = first
        self.padding = padding
        self.start = start
        self.length = length
    }

    /// Applies the encoder delay and padding that an MP3 file states before its first frame, unless the passage is
    /// already limited. Leaves out the decoder delay, which a decoder's instants already exclude.
    mutating func narrow(to trim: GaplessTrim) {
        guard first == .min, padding == nil else { return }
        first = max(0, trim.start - GaplessTrim.decoderDelay)
        padding = trim.padding(after: first)
    }
}
