// SPDX-License-Identifier: MIT

import Instants
package import RadioFormats

/// Audio of the programme that arrived, but too late to be delivered in its order, or on a connection that was not the
/// first one.
///
/// Whoever listens live cannot go back, but a recording can: its files get the audio at its place.
package struct FoundAudio: Sendable {
    /// The count of the station's frame before which the audio belongs: the first frame after a gap.
    package var before: Int64
    /// Whether the audio continues the frame before the gap. At least one of this and ``isContinuedAfter`` holds. Where
    /// one does not hold, the gap remains on that side.
    package var continuesBefore: Bool
    /// Whether the frame after the gap continues the audio.
    package var isContinuedAfter: Bool
    package var format: StreamFormat
    package var batch: FrameBatch
    /// The bytes of the frames in ``batch``.
    package var bytes: [UInt8]
    package var length: Duration
    /// What is still missing once the audio is in its place: nil if unknown, zero if nothing is, and then both flags
    /// hold.
    package var rest: Duration?
    /// Where the audio came from, for people: "a second connection".
    package var source: String

    package init(
        before: Int64, continuesBefore: Bool, isContinuedAfter: Bool, format: StreamFormat, batch: FrameBatch,
        bytes: [UInt8], length: Duration, rest: Duration?, source: String
    ) {
        self.before = before
        self.continuesBefore = continuesBefore
        self.isContinuedAfter = isContinuedAfter
        self.format = format
        self.batch = batch
        self.bytes = bytes
        self.length = length
        self.rest = rest
        self.source = source
    }

    /// The audio without what lies before `lead`, but with the frame into which that falls; nil if nothing is left.
    package func dropping(_ lead: Duration) -> FoundAudio? {
        guard lead > .zero else { return self }
        var (first, start) = (0, Int64(0))
        while first < batch.count {
            let end = start.addingSaturated(Int64(batch[first].samples))
            guard .samples(end, at: format.sampleRate) <= lead else { break }
            (first, start) = (first + 1, end)
        }
        guard first < batch.count else { return nil }
        var rest = self
        rest.bytes = Array(bytes[batch.range(of: first..<batch.count)])
        rest.batch = batch[first..<batch.count]
        rest.length -= .samples(start, at: format.sampleRate)
        return rest
    }
}
