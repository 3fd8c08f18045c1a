// SPDX-License-Identifier: MIT

import Glibc
import Instants
package import Platform
package import RadioCore
import RadioFormats

/// Looks for the audio that files lack in other recordings of the same station: of a show and of the whole day, or from
/// before and after a restart. Its calls block.
///
/// Audio is found where at least eight telling frames on one side of a gap are in the other recording too, and nothing
/// is missing there from these frames on: up to the frames behind the gap, or up to the end of that recording, if the
/// length of the gap shows that it ends within the gap.
package struct HealingSearch {
    /// Audio for a gap.
    package struct Finding: Hashable, Sendable {
        /// The file that lacks the audio, and the gap.
        package let segment: LibrarySegment
        package let gap: Sidecar.Gap
        /// The files that have it, one after the other, and their frames.
        package let sources: [Portion]
        /// The files before or behind that with the gap, if their frames are beside the gap.
        package var neighbours: [LibrarySegment] = []
        package let match: GapMatch
        package let length: Duration

        /// The files that prove the place of the audio, besides that with the gap.
        package var others: [LibrarySegment] { sources.map(\.segment) + neighbours }
        /// The path of the file that has it, or of the first and the last one.
        package var source: String {
            let paths = sources.map { $0.segment.path.joined(separator: "/") }
            return paths.count < 2 ? paths.joined() : "\(paths[0]) to \(paths[paths.count - 1])"
        }
        /// What is still missing once the audio is in its place.
        package var rest: Duration {
            match.isWhole ? .zero : max(.zero, .milliseconds(gap.milliseconds ?? 0) - length)
        }
    }

    /// Frames of a file.
    package struct Portion: Hashable, Sendable {
        package let segment: LibrarySegment
        package let frames: Range<Int64>

        package init(segment: LibrarySegment, frames: Range<Int64>) {
            (self.segment, self.frames) = (segment, frames)
        }
    }

    private let library: Library
    /// All files, by their stations. Files of unknown stations are left out.
    private var stations: [String: [[String]: LibrarySegment]] = [:]

    /// How far the clocks of two recordings may differ, with the burst that one of them began with.
    private static let slack = Duration.seconds(30)
    /// How much of a gap of unknown length is looked for.
    private static let unknown = Duration.seconds(600)
    /// How many frames on each side of a gap are compared.
    private static let compared: Int64 = 256

    package init(_ library: Library) { self.library = library }

    /// Adds a file of the library, or puts it in the place of its former state.
    package mutating func put(_ segment: LibrarySegment) {
        var segment = segment
        guard segment.audio != nil, !segment.isGrowing, let sidecar = segment.sidecar, sidecar.at != nil,
            let station = sidecar.stationID ?? sidecar.station
        else { return }
        // A library may have a hundred thousand files.
        var short = sidecar
        (short.titles, short.splices, short.healed) = ([], [], [])
        segment.description = .sidecar(short)
        stations[station, default: [:]][segment.path] = segment
    }

    /// Leaves a file out.
    package mutating func remove(_ segment: LibrarySegment) {
        for station in stations.keys { stations[station]?[segment.path] = nil }
    }

    /// The best audio for each gap of a file, the last gap first.
    package func findings(for segment: LibrarySegment) -> [Finding] {
        guard let sidecar = segment.sidecar, !segment.isGrowing,
            let others = (sidecar.stationID ?? sidecar.station).flatMap({ stations[$0] })
        else { return [] }
        let gaps = sidecar.gaps.filter { 0...sidecar.frames ~= $0.position }
        return Set(gaps.map(\.position)).sorted(by: >).compactMap { position in
            let here = gaps.filter { $0.position == position }
            let milliseconds = here.reduce(Int64?(0)) { sum, gap in
                sum.flatMap { sum in gap.milliseconds.map { sum.addingSaturated(max(0, $0)) } }
            }
            var gap = here[0]
            gap.milliseconds = milliseconds
            return best(for: gap, in: segment, sidecar, others.values.filter { $0.path != segment.path })
        }
    }

    private func best(
        for gap: Sidecar.Gap, in segment: LibrarySegment, _ sidecar: Sidecar, _ others: [LibrarySegment]
    ) -> Finding? {
        let span = gap.at.instant..<gap.at.instant + (gap.milliseconds.map { .milliseconds($0) } ?? Self.unknown)
        let window = span.lowerBound - Self.slack..<span.upperBound + Self.slack
        let sources = others.filter { $0.sidecar.map { $0.mayFill(sidecar, window) } ?? false }
        guard !sources.isEmpty else { return nil }
        let (before, previous) = prints(of: segment, gap.position, -1, others)
        let (after, next) = prints(of: segment, gap.position, 1, others)
        let isAlone = Self.isAlone(gap, sidecar, others)
        var found: [Finding] = []
        for run in runs(of: sources, in: window) {
            guard let length = run.pieces.first?.segment.sidecar?.frameLength else { continue }
            func place(_ instant: WallInstant) -> Int { run.pieces.reduce(0) { $0 + $1.place(instant) } }
            let missing = gap.milliseconds.map {
                // The length is told in whole milliseconds.
                let most: Double = .milliseconds($0.addingSaturated(1)) / length
                return Int64(clampingRounded: isAlone ? most.rounded(.down) : .milliseconds($0) / length)
            }
            let match = GapMatch(
                before: before, after: after, in: run.prints, begins: place(span.lowerBound),
                ends: place(span.upperBound), length: missing.map { Int(Int32(clamping: $0)) }, isAlone: isAlone)
            guard let match else { continue }
            // If more was found than is missing, it is not only the gap that lies between its two sides.
            let playing = length * match.frames.count
            guard playing <= gap.milliseconds.map({ .milliseconds($0) + RecordingOverlap.clockError }) ?? playing
            else { continue }
            let pieces = run.pieces(with: match.frames)
            guard !pieces.contains(where: \.isMarked) else { continue }
            found.append(
                Finding(
                    segment: segment, gap: gap, sources: pieces, neighbours: previous + next, match: match,
                    length: playing))
        }
        return found.max {
            ($0.match.isWhole ? 1 : 0, $0.match.frames.count) < ($1.match.isWhole ? 1 : 0, $1.match.frames.count)
        }
    }

    /// Frames that a recording has one after the other, in one file or several, and their fingerprints.
    private struct Run {
        var pieces: [Portion]
        var prints: [UInt64]

        func pieces(with wanted: Range<Int>) -> [Portion] {
            var next = 0
            return pieces.compactMap { piece in
                let own = wanted.clamped(to: next..<next + piece.frames.count)
                let first = piece.frames.lowerBound + Int64(own.lowerBound - next)
                next += piece.frames.count
                return own.isEmpty ? nil : Portion(segment: piece.segment, frames: first..<first + Int64(own.count))
            }
        }
    }

    private func runs(of sources: [LibrarySegment], in window: Range<WallInstant>) -> [Run] {
        func order(_ segment: LibrarySegment) -> (String, Int, String) {
            (segment.sidecar?.recording ?? "", segment.sidecar?.number ?? 0, segment.path.joined())
        }
        var runs: [Run] = []
        for source in sources.sorted(by: { order($0) < order($1) }) {
            for frames in source.sidecar?.runs(in: window) ?? [] {
                let (piece, prints) = (Portion(segment: source, frames: frames), prints(of: source, frames))
                guard prints.count == frames.count else { continue }
                if let last = runs.last?.pieces.last, last.continues(in: piece) {
                    runs[runs.count - 1].pieces.append(piece)
                    runs[runs.count - 1].prints += prints
                } else {
                    runs.append(Run(pieces: [piece], prints: prints))
                }
            }
        }
        return runs
    }

    /// Whether a recording begins or ends with a gap, so that there are frames on one side only.
    private static func isAlone(_ gap: Sidecar.Gap, _ sidecar: Sidecar, _ others: [LibrarySegment]) -> Bool {
        let isFirst = sidecar.previous == nil && sidecar.continues == nil && sidecar.number ?? 1 == 1
        let isLast = sidecar.next == nil && neighbour(1, of: sidecar, others) == nil
        return gap.position == 0 && isFirst || gap.position == sidecar.frames && isLast
    }

    /// The file before or behind a file in its recording, or in one that this one continues or that continues this one.
    /// Nil if it is gone: only a file that names no next one is the last of its recording.
    private static func neighbour(_ step: Int, of sidecar: Sidecar, _ others: [LibrarySegment]) -> LibrarySegment? {
        guard let recording = sidecar.recording, let number = sidecar.number else { return nil }
        let beside = others.first { $0.sidecar?.recording == recording && $0.sidecar?.number == number + step }
        if let beside { return beside }
        guard step < 0 else {
            guard sidecar.next == nil else { return nil }
            return others.first { $0.sidecar?.continues == recording && $0.sidecar?.number == 1 }
        }
        guard number == 1, let earlier = sidecar.continues else { return nil }
        let last = others.filter { $0.sidecar?.recording == earlier }.max {
            ($0.sidecar?.number ?? 0) < ($1.sidecar?.number ?? 0)
        }
        return last?.sidecar?.next == nil ? last : nil
    }

    /// The fingerprints of the frames before a frame of a file (`step` of -1), or from it on (1), up to the next gap.
    /// Where the file has too few, those of its neighbours are added, and these are returned, too.
    private func prints(
        of segment: LibrarySegment, _ frame: Int64, _ step: Int, _ others: [LibrarySegment]
    ) -> (prints: [UInt64], neighbours: [LibrarySegment]) {
        var (segment, frame, found, neighbours) = (segment, frame, [UInt64](), [LibrarySegment]())
        while let sidecar = segment.sidecar {
            let gaps = sidecar.gaps.map(\.position).filter { step < 0 ? $0 < frame : $0 > frame }
            if step < 0 {
                found = prints(of: segment, max(gaps.max() ?? 0, frame - Self.compared)..<frame) + found
            } else {
                let last = min(gaps.min() ?? .max, sidecar.frames, frame + Self.compared)
                found += prints(of: segment, frame..<max(frame, last))
            }
            guard gaps.isEmpty, max(found.count, neighbours.count) < GapFiller.side,
                let next = Self.neighbour(step, of: sidecar, others),
                let beside = next.sidecar,
                !beside.gaps.contains(where: { step < 0 ? $0.position >= beside.frames : $0.position == 0 })
            else { break }
            (segment, frame) = (next, step < 0 ? beside.frames : 0)
            neighbours.append(next)
        }
        return (found, neighbours)
    }

    /// The fingerprints of frames of a file; fewer if it cannot be read.
    private func prints(of segment: LibrarySegment, _ frames: Range<Int64>) -> [UInt64] {
        var prints: [UInt64] = []
        guard !frames.isEmpty, let file = try? library.frames(of: segment, from: frames.lowerBound) else { return [] }
        while prints.count < frames.count, let found = try? file.next(from: frames.lowerBound) {
            found.bytes.withUnsafeBytes { bytes in
                found.batch.forEach(in: bytes) { prints.append(Fingerprint($1).value) }
            }
        }
        return Array(prints.prefix(frames.count))
    }

    /// The frames of a finding, to be put into its file.
    package func frames(of finding: Finding) throws(SystemError) -> FoundFrames? {
        var common: StreamFormat?
        for source in finding.sources {
            let file = try library.frames(of: source.segment, from: source.frames.lowerBound)
            guard try file?.next(from: source.frames.lowerBound) != nil, let format = file?.format,
                format == common ?? format
            else { return nil }
            common = format
        }
        guard let format = common else { return nil }
        var (left, opened) = (finding.sources[...], FrameFile?.none)
        return FoundFrames(
            continuesBefore: finding.match.continuesBefore, isContinuedAfter: finding.match.isContinuedAfter,
            format: format, rest: finding.rest, source: finding.source
        ) { () throws(SystemError) in
            while let source = left.popFirst() {
                let wanted = source.frames
                if opened == nil { opened = try library.frames(of: source.segment, from: wanted.lowerBound) }
                let file = opened
                opened = nil
                if wanted.isEmpty { continue }
                // The frames behind a piece that is gone meanwhile must not follow those before it.
                guard let next = try file?.next(from: wanted.lowerBound) else { throw SystemError(number: ESTALE) }
                let end = min(next.end, wanted.upperBound)
                (left, opened) = ([Portion(segment: source.segment, frames: end..<wanted.upperBound)] + left, file)
                let indices = 0..<Int(clamping: end - next.index)
                return (next.batch[indices], Array(next.bytes[next.batch.range(of: indices)]))
            }
            return nil
        }
    }
}

extension HealingSearch.Portion {
    /// How many of the frames were live before an instant.
    fileprivate func place(_ instant: WallInstant) -> Int {
        let aired = segment.sidecar?.frames(airedBefore: instant) ?? 0
        return Int(clamping: min(max(aired, frames.lowerBound), frames.upperBound) - frames.lowerBound)
    }

    /// Whether these are the last frames of a file, and the others the first ones of the next file.
    fileprivate func continues(in next: Self) -> Bool {
        frames.upperBound == segment.sidecar?.frames && next.frames.lowerBound == 0
            && segment.sidecar?.recording.map { $0 == next.segment.sidecar?.recording } == true
            && segment.continues(in: next.segment)
    }

    /// Whether some of the frames are not part of the programme, or come twice.
    fileprivate var isMarked: Bool {
        RadioCore.Stretch.Kind.allCases.contains { kind in
            segment.sidecar?.stretches[kind].contains { $0.range.overlaps(frames) } == true
        }
    }
}

extension Sidecar {
    /// Whether audio of this file may be missing in another one of its station, in a span of time.
    fileprivate func mayFill(_ other: Sidecar, _ window: Range<WallInstant>) -> Bool {
        guard let begin = at?.instant, let end = endOfAudio, begin < end else { return false }
        return format == other.format && window.overlaps(begin..<end)
    }

    /// The frames that were on air in a span of time, without any between two of them missing.
    fileprivate func runs(in window: Range<WallInstant>) -> [Range<Int64>] {
        let wanted = frames(airedBefore: window.lowerBound)..<frames(airedBefore: window.upperBound)
        let inside = gaps.map(\.position).filter { 0 < $0 && $0 < frames }.sorted()
        return zip([0] + inside, inside + [frames]).map { ($0..<$1).clamped(to: wanted) }.filter { !$0.isEmpty }
    }
}
