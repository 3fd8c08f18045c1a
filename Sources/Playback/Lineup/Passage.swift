// SPDX-License-Identifier: MIT

import RadioFormats

/// Which part of a programme is heard, and where in its item that lies. A value.
package struct Passage: Hashable, Sendable {
    /// PCM before this place is not heard, and none from ``last`` on: in samples, as the programme's positions count
    /// them.
    package var first: Int64
    package var last: Int64?
    /// How far into the item that first sample is.
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

    /// Where nothing is known better: what a file of layer III says of itself in front of its first frame. A decoder's
    /// instants are already without what it is late.
    mutating func narrow(to trim: GaplessTrim) {
        guard first == .min, last == nil else { return }
        first = max(0, trim.start - GaplessTrim.decoderDelay)
        last = trim.length.map { first.addingSaturated($0) }
    }
}
