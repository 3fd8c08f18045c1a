// SPDX-License-Identifier: MIT

/// Where a frame is in its stream, as the stream itself states it. A server continues its numbers for all its clients,
/// so that they tell how the frames of two connections follow each other. They come from the network, and may be wrong.
package struct StatedPlace: Hashable, Sendable {
    /// The serial number of an Ogg stream; 0 if a stream has none.
    package var stream: UInt32
    /// The number of the frame's first sample.
    package var sample: Int64

    package init(stream: UInt32 = 0, sample: Int64) {
        (self.stream, self.sample) = (stream, sample)
    }

    /// The place after some samples.
    package func advanced(by samples: Int) -> StatedPlace {
        StatedPlace(stream: stream, sample: sample.addingSaturated(Int64(samples)))
    }

    /// How many samples lie between an earlier place of the same stream and this one; nil if there is none.
    package func samples(since end: StatedPlace) -> Int64? {
        guard stream == end.stream, end.sample <= sample else { return nil }
        let (samples, overflows) = sample.subtractingReportingOverflow(end.sample)
        return overflows ? nil : samples
    }
}
