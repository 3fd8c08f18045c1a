// SPDX-License-Identifier: MIT

package import Instants
package import RadioCore
import RadioFormats

extension RecordingExporter {
    /// An excerpt for the files of several recordings of one station, in the order in which they were made, and how
    /// many of the recordings overlap with the one before, but have other frames.
    ///
    /// After a restart, a station sends some seconds once more. Frames that both recordings have are exported once.
    /// Frames that differ are all exported, even if the clock says that they were on air at the same time.
    package func joining(
        _ segments: [LibrarySegment], from start: WallInstant?, until end: WallInstant?
    ) -> (excerpt: Excerpt, unmatched: Int) {
        var unmatched = 0
        let excerpt = Excerpt(segments, from: start, until: end) { earlier, later in
            guard let overlap = overlap(of: later, with: earlier) else { return 0..<0 }
            if let frames = overlap.frames { return Int64(frames.lowerBound)..<Int64(frames.upperBound) }
            if overlap.expected > RecordingOverlap.clockError { unmatched += 1 }
            return 0..<0
        }
        return (excerpt, unmatched)
    }

    /// An excerpt for the frames that files of one station have between two instants, but without those that are in
    /// `next` already: a file of another recording of the station, which begins at about `end`. If the frames do not
    /// tell where `next` begins, the clock does.
    package func excerpt(
        _ segments: [LibrarySegment], from start: WallInstant, until end: WallInstant, before next: LibrarySegment
    ) -> Excerpt {
        let excerpt = Excerpt(segments, from: start, until: end + RecordingOverlap.clockError)
        if let frames = overlap(of: next, with: excerpt.parts)?.frames { return excerpt.dropLast(frames.upperBound) }
        // The clocks of both recordings differ at least by the rounding of their times.
        return Excerpt(segments, from: start, until: end - (next.sidecar?.frameLength ?? .zero) / 2)
    }

    /// Which frames of a file the parts before it have already (nil if the frames do not tell), and how long the
    /// overlap is according to the clock. Nil if they do not overlap.
    private func overlap(
        of later: LibrarySegment, with earlier: [Excerpt.Part]
    ) -> (frames: Range<Int>?, expected: Duration)? {
        guard let end = earlier.last?.end, let start = later.sidecar?.at?.instant,
            end - start > .zero - RecordingOverlap.clockError
        else { return nil }
        let expected = max(.zero, end - start)
        var memory = FrameMemory()
        for part in Self.tail(of: earlier) {
            var rest = part.known.count
            forEachMark(of: part.segment, from: part.frames.lowerBound) { mark in
                rest -= 1
                if rest >= 0 { memory.append(mark) }
                return rest > 0
            }
        }
        var (marks, length) = ([FrameMark](), Duration.zero)
        forEachMark(of: later, from: 0) { mark in
            marks.append(mark)
            length += mark.duration
            return length < expected + Self.margin
        }
        guard let shared = RecordingOverlap.frames(of: marks, in: memory, near: expected) else {
            return (nil, expected)
        }
        // Frames that precede all remembered frames need not precede all frames.
        let isWhole = memory.duration < Self.depth && earlier[0].frames.lowerBound == 0
        return (isWhole ? shared : 0..<shared.upperBound, expected)
    }

    /// The last parts, which hold all frames that a ``FrameMemory`` remembers.
    private static func tail(of parts: [Excerpt.Part]) -> [Excerpt.Part] {
        var (tail, length) = ([Excerpt.Part](), Duration.zero)
        for part in parts.reversed() where length < depth {
            guard let sidecar = part.segment.sidecar, let frame = sidecar.frameLength else { continue }
            let wanted = Int64((depth - length) / frame) + 1
            var part = part
            let known = part.known
            part.frames = max(known.lowerBound, known.upperBound - wanted)..<known.upperBound
            length += frame * part.frames.count
            tail.append(part)
        }
        return tail.reversed()
    }

    /// Passes the frames of a file from a frame on to `body`, as fingerprints, until `body` returns false. A file that
    /// cannot be read has no frames.
    private func forEachMark(of segment: LibrarySegment, from first: Int64, _ body: (FrameMark) -> Bool) {
        guard let format = segment.sidecar?.format,
            let file = try? library.frames(of: segment, from: first)
        else { return }
        var marker = FrameMarker()
        marker.begin(format)
        while let frames = try? file.next(from: first) {
            var batch = frames.batch
            frames.bytes.withUnsafeBytes { marker.mark(&batch, $0) }
            for index in 0..<batch.count {
                guard let mark = batch[index].mark, body(mark) else { return }
            }
        }
    }

    /// How much more audio is compared than overlaps according to the clock.
    private static let margin = Duration.seconds(10)
    /// What a ``FrameMemory`` remembers.
    private static let depth = Duration.seconds(120)
}
