// SPDX-License-Identifier: MIT

import Instants
package import RadioCore
package import RadioFormats

/// Found audio on its way into a file, in memory or in its copy on the disk (``SavedAudio``).
///
/// A file is composed anew for each piece. So what was found next for the same gap, and goes on at one of its ends,
/// becomes part of it (`joined`).
package struct FoundPiece: Sendable {
    /// Frames that were found at once.
    package struct Part: Sendable {
        /// The size of the frames in bytes.
        package let size: Int
        /// Nil if only the copy has the frames.
        package var audio: FoundAudio?
        /// Where the copy lies, or will lie.
        package var copy: SavedAudio.Copy?
    }

    /// As in ``FoundAudio``.
    package let before: Int64
    package private(set) var continuesBefore: Bool
    package private(set) var isContinuedAfter: Bool
    package let format: StreamFormat
    package private(set) var length: Duration
    package private(set) var rest: Duration?
    package let source: String
    /// The titles that were sent within the audio, each with the index of its first frame, and the time before it.
    package private(set) var titles: [(frame: Int, after: Duration, text: String)]
    /// The number of frames.
    package private(set) var frames: Int
    /// In the order of their frames; none if nothing is missing in the gap.
    package var parts: [Part]

    package init(_ audio: FoundAudio) {
        self.init(audio, frames: audio.batch.count, Part(size: audio.bytes.count, audio: audio))
    }

    /// `audio` may lack its frames, of which there are `frames`.
    init(_ audio: FoundAudio, frames: Int, _ part: Part) {
        (before, format, source, self.frames) = (audio.before, audio.format, audio.source, frames)
        (continuesBefore, isContinuedAfter) = (audio.continuesBefore, audio.isContinuedAfter)
        (length, rest) = (audio.length, audio.rest)
        titles = audio.titles.map { ($0.frame, audio.length(ofFirst: $0.frame), $0.text) }
        parts = frames > 0 ? [part] : []
    }

    /// Whether a gap remains on both sides of the audio.
    package var isWithin: Bool { !continuesBefore && !isContinuedAfter }

    /// The size of the frames in bytes.
    package var size: Int { parts.reduce(0) { $0 + $1.size } }

    /// Takes in the piece that was found next for the gap, if it goes on at one of the ends. Returns whether it does.
    fileprivate mutating func extend(by next: FoundPiece) -> Bool {
        guard next.format == format, next.source == source, frames > 0, next.frames > 0 else {
            return false
        }
        if continuesBefore, !isContinuedAfter, next.continuesBefore {
            titles += next.titles.map { ($0.frame + frames, $0.after + length, $0.text) }
            parts += next.parts
            isContinuedAfter = next.isContinuedAfter
        } else if isContinuedAfter, !continuesBefore, next.isContinuedAfter {
            titles = next.titles + titles.map { ($0.frame + next.frames, $0.after + next.length, $0.text) }
            parts = next.parts + parts
            continuesBefore = next.continuesBefore
        } else {
            return false
        }
        frames += next.frames
        length += next.length
        rest = next.rest
        return true
    }
}

extension [FoundPiece] {
    /// The pieces in the order in which they were found, with those joined that go on at an end of the one before for
    /// the same gap.
    package var joined: [FoundPiece] {
        reduce(into: []) { pieces, next in
            let newest = pieces.lastIndex { $0.before == next.before }
            if !(newest.map { pieces[$0].extend(by: next) } ?? false) { pieces.append(next) }
        }
    }
}
