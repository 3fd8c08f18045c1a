// SPDX-License-Identifier: MIT

package import Instants
package import RadioCore
package import RadioFormats

/// Frames of recorded files, one after the other, with the time that they were on air. Pure.
package struct Excerpt: Hashable, Sendable {
    package struct Part: Hashable, Sendable {
        package var segment: LibrarySegment
        /// The frames of the segment's file, counted from 0. The upper bound is `Int64.max` if all frames up to the end
        /// of the file are wanted.
        package var frames: Range<Int64>

        /// The selection that finds these frames in the file, or in the file from a frame on.
        package var selection: FrameSelection { selection(from: 0) }
        package func selection(from first: Int64) -> FrameSelection {
            FrameSelection(frames, known: segment.sidecar?.frames ?? 0, from: first)
        }

        /// The frames that the sidecar counts.
        package var known: Range<Int64> { frames.clamped(to: 0..<(segment.sidecar?.frames ?? 0)) }

        /// The time at which the first of these frames was on air; nil if the air time is unknown.
        package var start: WallInstant? { segment.sidecar?.airTime(ofFrame: frames.lowerBound) }

        /// The time at which the last of these frames ended; nil if the air time is unknown. A gap after that frame
        /// does not count, because the next file may contain that audio.
        package var end: WallInstant? {
            guard let sidecar = segment.sidecar, let end = sidecar.airTime(ofFrame: known.upperBound)
            else { return nil }
            return end - sidecar.gaps.filter { $0.position == known.upperBound }.missingInside
        }
    }

    /// The files with frames of the excerpt, in order.
    package private(set) var parts: [Part]
    /// The maximum number of frames before the first frame that may hold part of its main data. An export that is cut
    /// at the first frame may begin with these frames, without their sound (``SilentUnit/init(before:of:)``).
    package private(set) var lead = 0
    /// The file that precedes the first part's file; nil if there is none, or if audio is missing between the two
    /// files.
    private let before: LibrarySegment?

    /// Creates an excerpt for the span from `start` to `end`; nil stands for the recording's own start or end. Files
    /// whose air time is unknown are taken as a whole, or not at all if there is a `start`.
    package init(_ recording: LibraryRecording, from start: WallInstant?, until end: WallInstant?) {
        self.init(recording.segments, from: start, until: end)
    }

    /// Creates an excerpt for files of several recordings of one station, in the order in which they were made. Where
    /// two recordings overlap, the frames are taken from the earlier one: `shared` says which frames of a file are in
    /// the parts before it already; nil if the clock should decide. Frames before these precede all parts: the air time
    /// of a show's first frame is estimated anew in each recording, so a later one may begin some frames earlier.
    package init(
        _ segments: [LibrarySegment], from start: WallInstant?, until end: WallInstant?,
        shared: (_ parts: [Part], _ next: LibrarySegment) -> Range<Int64>? = { _, _ in nil }
    ) {
        parts = []
        // The end of the audio in the parts. It matters only between recordings: within one recording, each file begins
        // with the frame after the last frame of the file before it.
        var taken: WallInstant?
        // Where the last file of each recording ends.
        var ends: [String: WallInstant] = [:]
        for segment in segments {
            guard segment.audio != nil, let sidecar = segment.sidecar else { continue }
            let isOther = parts.last.map { $0.segment.sidecar?.recording != sidecar.recording } ?? false
            // Where two recordings overlap, they contain the same frames, but with times that differ by a few
            // milliseconds. So half a frame is tolerated.
            let known = isOther ? shared(parts, segment) : nil
            let frame = sidecar.frameLength ?? .zero
            // Recordings that are cut at the same frames go on together, although their times of one frame differ.
            let own = sidecar.recording.flatMap { ends[$0] }
            let isTogether = own.map { end in taken.map { ($0 - end).magnitude < frame * 2 } ?? false } ?? false
            let continues = isOther && known == nil && !isTogether ? taken.map { $0 - frame / 2 } : nil
            if let recording = sidecar.recording { ends[recording] = sidecar.airTime(ofFrame: sidecar.frames) }
            let begin = [start, continues].compactMap(\.self).max()
            let wanted = begin.map { sidecar.frames(airedBefore: $0) } ?? 0
            let last = end.map { sidecar.frames(airedBefore: $0) } ?? .max
            if let ahead = known.map({ min($0.lowerBound, last) }), wanted < ahead {
                parts.insert(Part(segment: segment, frames: wanted..<ahead), at: 0)
            }
            let first = max(wanted, known?.upperBound ?? 0)
            guard first < min(last, sidecar.frames) else { continue }
            let part = Part(segment: segment, frames: first..<last)
            parts.append(part)
            taken = [taken, part.end].compactMap(\.self).max()
        }
        let first = parts.first?.segment
        before = first.flatMap { first in
            segments.prefix { $0 != first }.last.flatMap { $0.continues(in: first) ? $0 : nil }
        }
    }

    /// Whether it has all frames of its files.
    package var isWholeFiles: Bool {
        parts.allSatisfy { $0.frames.lowerBound == 0 && $0.frames.upperBound >= $0.segment.sidecar?.frames ?? .max }
    }

    /// This excerpt without its last frames.
    package func dropLast(_ count: Int) -> Excerpt {
        var (excerpt, rest) = (self, Int64(count))
        while rest > 0, var last = excerpt.parts.popLast() {
            let frames = last.known
            if rest < frames.count {
                last.frames = frames.lowerBound..<frames.upperBound - rest
                excerpt.parts.append(last)
            }
            rest -= Int64(frames.count)
        }
        return excerpt
    }

    /// This excerpt with the frames that a decoder needs before the first wanted frame, so that the exported file plays
    /// from that frame on.
    package var withPreroll: Excerpt {
        guard let first = parts.first, let sidecar = first.segment.sidecar else { return self }
        return switch sidecar.format.codec {
        case .opus: converging(before: first, sidecar)
        case .mp3: withLead(before: first, sidecar)
        case .mp1, .mp2, .aac, .vorbis, .flac: self
        }
    }

    /// This excerpt with 80 ms more before the first frame: an Opus decoder needs that much audio to converge, and a
    /// player discards it (RFC 7845 §4.2).
    private func converging(before first: Part, _ sidecar: Sidecar) -> Excerpt {
        guard sidecar.frames > 0, sidecar.samples > 0 else { return self }
        let preroll = (Self.convergence * sidecar.frames + sidecar.samples - 1) / sidecar.samples
        var excerpt = self
        excerpt.parts[0].frames = max(0, first.frames.lowerBound - preroll)..<first.frames.upperBound
        return excerpt
    }

    /// This excerpt with its ``lead``. A frame's main data may begin in earlier frames, but not in frames before the
    /// last gap. If the earlier frames are in the preceding file, an empty part at the end of that file is added: it is
    /// empty because none of that file's frames is wanted for itself.
    private func withLead(before first: Part, _ sidecar: Sidecar) -> Excerpt {
        let start = first.frames.lowerBound
        var excerpt = self
        excerpt.lead = SilentUnit.longestTail
        if let gap = sidecar.gaps.map(\.position).last(where: { $0 <= start }) {
            excerpt.lead = min(excerpt.lead, Int(clamping: start - gap))
        } else if start < excerpt.lead, let before, let end = before.sidecar?.frames {
            excerpt.parts.insert(Part(segment: before, frames: end..<end), at: 0)
        }
        return excerpt
    }

    /// 80 ms in samples of Opus.
    private static let convergence: Int64 = 3_840
}

extension LibrarySegment {
    /// Whether the first frame of `next` directly follows the last frame of this file.
    func continues(in next: LibrarySegment) -> Bool {
        guard audio != nil, !isGrowing, let sidecar, let following = next.sidecar, let number = sidecar.number else {
            return false
        }
        return following.number == number + 1 && following.format == sidecar.format
            && !sidecar.gaps.contains { $0.position >= sidecar.frames }
            && !following.gaps.contains { $0.position == 0 }
    }
}

extension Sidecar {
    /// How many frames of the file were live before an instant; all if the air time is unknown. An instant that comes
    /// twice, because the clock was set back, is the first one.
    func frames(airedBefore instant: WallInstant) -> Int64 {
        guard let at, let length = frameLength else { return frames }
        // Frames are contiguous from one jump to the next. A gap before the first frame is ignored, because it had
        // ended by the time of that frame.
        var (first, start) = (Int64(0), at.instant)
        for jump in jumps.sorted(by: { $0.position < $1.position }) where jump.position >= first {
            let end = start + length * Int(clamping: min(jump.position, frames) - first)
            if instant <= end { break }
            (first, start) = (min(jump.position, frames), end + .milliseconds(jump.length))
            if instant <= start { return first }
        }
        guard instant > start else { return first }
        // A frame that began before the instant counts, even if it ended later.
        let passed = (instant - start) / length
        return min(frames, first.addingSaturated(Int64(clampingRounded: passed.rounded(.up))))
    }
}
