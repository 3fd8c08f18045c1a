// SPDX-License-Identifier: MIT

/// Where in a file to start decoding.
package struct SeekPlace: Hashable, Sendable {
    /// The offset of a frame or an Ogg page. Layer III decoders need some earlier frames as pre-roll.
    package var offset: Int64
    /// The first sample of that frame or page, counted from the first audible sample; negative within the encoder's
    /// delay. If it is unknown, it is the requested sample.
    package var sample: Int64

    package init(offset: Int64, sample: Int64) {
        (self.offset, self.sample) = (offset, sample)
    }
}
