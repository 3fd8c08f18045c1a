// SPDX-License-Identifier: MIT

import Instants
package import RadioCore
package import RadioFormats

/// What is known of a file once it is open, and where in it reading begins.
package struct ItemOpening: Hashable, Sendable {
    /// What its two ends say; nil where they say nothing.
    package var facts: AudioFileFacts?
    /// Where reading begins: at the file's first frame, or before the instant that was wanted.
    package var place: SeekPlace
    /// The instant from which it is to be heard.
    package var start: Duration
    /// Whether what is known of its end may not be true for long.
    package var isGrowing: Bool

    package init(facts: AudioFileFacts?, place: SeekPlace, start: Duration, isGrowing: Bool = false) {
        self.facts = facts
        self.place = place
        self.start = start
        self.isGrowing = isGrowing
    }
}

extension ItemOpening {
    /// So much in front of an instant makes a decoder ready for it, in any codec.
    package static let warmUp = Duration.milliseconds(400)

    /// How long it plays; nil where nobody knows.
    package var length: Duration? { isGrowing ? nil : facts?.length?.duration }

    /// Bytes; nil where nobody knows.
    package var size: Int64? { isGrowing ? nil : facts?.size }

    /// The first frame's place among all samples that a decoder gives out.
    package var position: Position {
        let before = facts?.trim.start ?? 0
        return Position(samples: max(0, place.sample.addingSaturated(before)))
    }

    /// Where the item is heard from, and to: in samples as a decoder's instants count them; nil where all is heard.
    package var heard: (first: Int64, last: Int64?) {
        guard let facts else { return (.min, nil) }
        let trim = facts.trim
        // Instants of layer III are already without what its decoder is late.
        let late = facts.codec == .mp3 ? GaplessTrim.decoderDelay : 0
        let begin = max(0, trim.start - late)
        let last = isGrowing ? nil : trim.length.map { begin.addingSaturated($0) }
        guard start > .zero else { return (trim.start > 0 ? begin : .min, last) }
        return (begin.addingSaturated(Int64(start.inSeconds * Double(facts.sampleRate))), last)
    }
}
