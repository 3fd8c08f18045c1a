// SPDX-License-Identifier: MIT

package import Instants
import RadioCore

extension RecordingReport {
    /// A place at which a recording has none of the station's audio: a gap, or audio that is not the station's.
    package struct Absence: Hashable, Sendable {
        /// The number of frames before the place, and how many of the frames from there on are not the station's.
        package var position: Int64
        package var frames: Int64
        /// When the station's audio stopped, and how much of it is missing.
        package var at: WallInstant
        package var length: Duration
        package var cause: String

        fileprivate var range: Range<Int64> { position..<position + frames }
    }

    /// The absences, in order. Foreign audio counts as missing for as long as it lasted. But if a gap accounts for that
    /// time, or if it came before the station, nothing is missing because of it. A file of another station between files
    /// of one station is foreign, too.
    package var absences: [Absence] {
        let missing = gaps.map { gap in
            Absence(
                position: gap.position, frames: 0, at: gap.at.instant,
                length: .milliseconds(max(0, gap.milliseconds ?? 0)), cause: gap.cause)
        }
        let inserted = foreign.map { stretch in
            let end = stretch.position + stretch.frames
            let isCovered = missing.contains { $0.position == end && $0.at <= stretch.at.instant }
            return Absence(
                position: stretch.position, frames: stretch.frames, at: stretch.at.instant,
                length: isCovered || stretch.position == 0 ? .zero : .milliseconds(stretch.milliseconds),
                cause: "foreign audio was in its place")
        }
        let others = strangers.filter { other in !inserted.contains { $0.range.overlaps(other.range) } }
        return (missing + inserted + others).sorted { $0.position < $1.position }
    }

    /// The files of other stations between files of one station. The station is missing from the end of its last file to
    /// the beginning of its next.
    private var strangers: [Absence] {
        // The list of files is bounded.
        guard segments.reduce(0, { $0 + $1.frames }) == frames else { return [] }
        var (found, position) = ([Absence](), Int64(0))
        for (index, segment) in segments.enumerated() {
            defer { position += segment.frames }
            let rest = segments[index...]
            let before = segments[..<index].last { other in rest.contains { $0.station == other.station } }
            guard let before, before.station != segment.station,
                let next = rest.first(where: { $0.station == before.station })
            else { continue }
            let isFirst = found.last.map { $0.position + $0.frames < position } ?? true
            found.append(
                Absence(
                    position: position, frames: segment.frames, at: before.end,
                    length: isFirst ? max(.zero, next.at.instant - before.end) : .zero,
                    cause: "another station was in its place"))
        }
        return found
    }

    /// The number of frames that are the station's.
    package var ownFrames: Int64 { frames - absences.reduce(0) { $0 + $1.frames } }
}
