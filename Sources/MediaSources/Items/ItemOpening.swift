// SPDX-License-Identifier: MIT

import Instants
package import RadioCore
package import RadioFormats

/// What is known of an open file, and where reading begins.
package struct ItemOpening: Hashable, Sendable {
    /// The facts found at the file's two ends; nil if there are none.
    package var facts: AudioFileFacts?
    /// Where reading begins: at the file's first frame, or some way before ``start``.
    package var place: SeekPlace
    /// The position in the item from which it is played.
    package var start: Duration
    /// Whether the file grows, so that its size and length may change.
    package var isGrowing: Bool

    package init(facts: AudioFileFacts?, place: SeekPlace, start: Duration, isGrowing: Bool = false) {
        self.facts = facts
        self.place = place
        self.start = start
        self.isGrowing = isGrowing
    }
}

extension ItemOpening {
    /// The pre-roll that is enough for a decoder of any codec.
    package static let warmUp = Duration.milliseconds(400)

    /// The length of the item; nil if unknown.
    package var length: Duration? { isGrowing ? nil : facts?.length }

    /// The size in bytes; nil if unknown.
    package var size: Int64? { isGrowing ? nil : facts?.size }

    /// The position of the first frame to be read, among all samples that a decoder outputs.
    package var position: Position {
        let before = facts?.trim.start ?? 0
        return Position(samples: max(0, place.sample.addingSaturated(before)))
    }

    /// The first sample that is played, as a decoder's timestamps count them; `.min` to play all from the first on. The
    /// padding after the last sample to be played, in the same count; nil if the file's head states none.
    package var heard: (first: Int64, padding: Range<Int64>?) {
        guard let facts else { return (.min, nil) }
        let trim = facts.trim
        // Timestamps of layer III already exclude the decoder delay.
        let late = facts.codec == .mp3 ? GaplessTrim.decoderDelay : 0
        let begin = max(0, trim.start - late)
        let padding = trim.padding(after: begin)
        guard start > .zero else { return (trim.start > 0 ? begin : .min, padding) }
        return (begin.addingSaturated(Int64(start.inSeconds * Double(facts.sampleRate))), padding)
    }
}
