// SPDX-License-Identifier: MIT

import RadioFormats

/// The part of a programme that is heard, and its place in the item.
package struct Passage: Hashable, Sendable {
    /// The first sample to be heard, counted as in the programme's positions.
    package var first: Int64
    /// The end of the samples to be heard, exclusive, in the same count; nil if nothing is cut off.
    package var last: Int64?
    /// The position of the first sample in the item.
    package var start: Duration
    /// Length of the whole item; nil if unknown or endless.
    package var length: Duration?

    package init(
        first: Int64 = .min, last: Int64? = nil, start: Duration = .zero, length: Duration? = nil
    ) {
        self.first = first
        self.last = last
        self.start = start
        self.length = length
    }

    /// Applies the encoder delay and padding that an MP3 file states before its first frame, unless the passage is
    /// already limited. Leaves out the decoder delay, which a decoder's instants already exclude.
    mutating func narrow(to trim: GaplessTrim) {
        guard first == .min, last == nil else { return }
        first = max(0, trim.start - GaplessTrim.decoderDelay)
        last = trim.length.map { first.addingSaturated($0) }
    }
}
