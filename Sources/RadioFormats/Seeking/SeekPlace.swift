// SPDX-License-Identifier: MIT

/// Where in a file to go on.
package struct SeekPlace: Hashable, Sendable {
    /// A frame begins here, or an Ogg page. Decoders of layer III want some frames before it as well.
    package var offset: Int64
    /// The sample with which that frame or page begins, counted from the first that is heard: less than 0 where what
    /// encoders put in front begins with it.
    package var sample: Int64
    /// Whether that is known; else it is what was wanted.
    package var isExact: Bool

    package init(offset: Int64, sample: Int64, isExact: Bool) {
        self.offset = offset
        self.sample = sample
        self.isExact = isExact
    }
}
