// SPDX-License-Identifier: MIT

package import Instants
package import RadioFormats

/// Which frames of a recording's files aired in a span. Pure.
package struct ExportPlan: Hashable, Sendable {
    package struct Part: Hashable, Sendable {
        package var segment: LibrarySegment
        /// Frames of its file, from 0. Without an end, all that are there.
        package var frames: Range<Int64>

        /// The frames, to be found in the file.
        package var selection: FrameSelection {
            FrameSelection(frames, known: segment.sidecar?.frames ?? 0)
        }
    }

    /// In order; files without such frames are left out.
    package private(set) var parts: [Part]

    /// `span`: nil ends mean the recording's own. Files whose air time is unknown are taken as a whole or, with a span,
    /// not at all.
    package init(_ recording: LibraryRecording, from start: WallInstant?, until end: WallInstant?) {
        parts = recording.segments.compactMap { segment in
            guard segment.audio != nil, let sidecar = segment.sidecar else { return nil }
            let first = start.map { sidecar.frames(airedBefore: $0) } ?? 0
            let last = end.map { sidecar.frames(airedBefore: $0) } ?? .max
            guard first < min(last, sidecar.frames) else { return nil }
            return Part(segment: segment, frames: first..<last)
        }
    }

    /// The plan for a file that is heard from its first wanted frame on. An Opus decoder needs the 80 ms before that to
    /// converge, and a player discards them (RFC 7845 §4.2).
    package var withPreroll: ExportPlan {
        guard let first = parts.first, let sidecar = first.segment.sidecar, sidecar.format.codec == .opus,
            sidecar.frames > 0, sidecar.samples > 0
        else { return self }
        let preroll = (Self.convergence * sidecar.frames + sidecar.samples - 1) / sidecar.samples
        var plan = self
        plan.parts[0].frames = max(0, first.frames.lowerBound - preroll)..<first.frames.upperBound
        return plan
    }

    /// In samples of Opus.
    private static let convergence: Int64 = 3_840
}

extension Sidecar {
    /// How many frames of the file were live before an instant; all if the air time is unknown.
    func frames(airedBefore instant: WallInstant) -> Int64 {
        guard let at, frames > 0, samples > 0, format.sampleRate > 0 else { return frames }
        let length = Duration.samples(samples, at: format.sampleRate) / Int(clamping: frames)
        guard length > .zero else { return frames }
        // From one gap to the next, frames follow each other.
        var (first, start) = (Int64(0), at.instant)
        for gap in gaps.sorted(by: { $0.position < $1.position }) where gap.position >= first {
            let end = start + length * Int(clamping: min(gap.position, frames) - first)
            if instant <= end { break }
            (first, start) = (min(gap.position, frames), end + .milliseconds(max(0, gap.milliseconds ?? 0)))
            if instant <= start { return first }
        }
        guard instant > start else { return first }
        // A frame that begins before the instant counts.
        let passed = (instant - start) / length
        return min(frames, first + Int64(passed.rounded(.up)))
    }
}
