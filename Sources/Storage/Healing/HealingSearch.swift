// SPDX-License-Identifier: MIT

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
        /// The file that has it, and its frames.
        package let source: LibrarySegment
        package let frames: Range<Int64>
        /// The file before or behind that with the gap, if its frames are those beside the gap.
        package var neighbours: [LibrarySegment] = []
        package let match: GapMatch
        package let length: Duration

        /// The files that prove the place of the audio, besides that with the gap.
        package var others: [LibrarySegment] { [source] + neighbours }
        /// What is still missing once the audio is in its place.
        package var rest: Duration {
            match.isWhole ? .zero : max(.zero, .milliseconds(gap.milliseconds ?? 0) - length)
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
        let previous = gap.position > 0 ? nil : Self.neighbour(-1, of: sidecar, others)
        let next = gap.position < sidecar.frames ? nil : Self.neighbour(1, of: sidecar, others)
        let before = previous.map(lastPrints) ?? prints(of: segment, before: gap.position)
        let after = next.map(firstPrints) ?? prints(of: segment, after: gap.position)
        var found: [Finding] = []
        for source in sources.sorted(by: { $0.path.joined() < $1.path.joined() }) {
            for run in source.sidecar?.runs(in: window) ?? [] {
                let prints = prints(of: source, run)
                guard run.count == prints.count, let other = source.sidecar, let length = other.frameLength else {
                    continue
                }
                func place(_ instant: WallInstant) -> Int {
                    Int(clamping: other.frames(airedBefore: instant) - run.lowerBound)
                }
                let match = GapMatch(
                    before: before, after: after, in: prints, begins: place(span.lowerBound),
                    ends: place(span.upperBound),
                    length: gap.milliseconds.map {
                        Int(Int32(clamping: Int64(clampingRounded: .milliseconds($0) / length)))
                    })
                guard let match else { continue }
                let first = run.lowerBound + Int64(match.frames.lowerBound)
                let frames = first..<first + Int64(match.frames.count)
                guard !other.isMarked(frames) else { continue }
                found.append(
                    Finding(
                        segment: segment, gap: gap, source: source, frames: frames,
                        neighbours: [previous, next].compactMap(\.self), match: match, length: length * frames.count))
            }
        }
        return found.max { ($0.match.isWhole ? 1 : 0, $0.frames.count) < ($1.match.isWhole ? 1 : 0, $1.frames.count) }
    }

    /// The file before or behind a file in its recording, or in one that this one continues or that continues this one.
    private static func neighbour(_ step: Int, of sidecar: Sidecar, _ others: [LibrarySegment]) -> LibrarySegment? {
        guard let recording = sidecar.recording, let number = sidecar.number else { return nil }
        let beside = others.first { $0.sidecar?.recording == recording && $0.sidecar?.number == number + step }
        if let beside { return beside }
        guard step < 0 else { return others.first { $0.sidecar?.continues == recording && $0.sidecar?.number == 1 } }
        guard number == 1, let earlier = sidecar.continues else { return nil }
        return others.filter { $0.sidecar?.recording == earlier }.max {
            ($0.sidecar?.number ?? 0) < ($1.sidecar?.number ?? 0)
        }
    }

    /// The fingerprints of the last frames of a file, and of its first ones; none if audio is missing there, too.
    private func lastPrints(of segment: LibrarySegment) -> [UInt64] {
        guard let sidecar = segment.sidecar, !sidecar.gaps.contains(where: { $0.position >= sidecar.frames }) else {
            return []
        }
        return prints(of: segment, before: sidecar.frames)
    }

    private func firstPrints(of segment: LibrarySegment) -> [UInt64] {
        segment.sidecar?.gaps.contains { $0.position == 0 } == false ? prints(of: segment, after: 0) : []
    }

    /// The fingerprints of the frames before a frame of a file, and from it on, up to the next gap.
    private func prints(of segment: LibrarySegment, before frame: Int64) -> [UInt64] {
        let first = segment.sidecar?.gaps.map(\.position).filter { $0 < frame }.max() ?? 0
        return prints(of: segment, max(first, frame - Self.compared)..<frame)
    }

    private func prints(of segment: LibrarySegment, after frame: Int64) -> [UInt64] {
        let last = segment.sidecar?.gaps.map(\.position).filter { $0 > frame }.min() ?? .max
        return prints(of: segment, frame..<min(last, segment.sidecar?.frames ?? frame, frame + Self.compared))
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
        let wanted = finding.frames
        guard let file = try library.frames(of: finding.source, from: wanted.lowerBound),
            var next = try file.next(from: wanted.lowerBound), let format = file.format
        else { return nil }
        var isFirst = true
        return FoundFrames(
            continuesBefore: finding.match.continuesBefore, isContinuedAfter: finding.match.isContinuedAfter,
            format: format, rest: finding.rest, source: finding.source.path.joined(separator: "/")
        ) { () throws(SystemError) in
            if !isFirst {
                guard next.end < wanted.upperBound, let more = try file.next(from: next.end) else { return nil }
                next = more
            }
            isFirst = false
            let indices = 0..<min(next.batch.count, Int(clamping: wanted.upperBound - next.index))
            return (next.batch[indices], Array(next.bytes[next.batch.range(of: indices)]))
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

    /// Whether some of the frames are not part of the programme, or come twice.
    fileprivate func isMarked(_ frames: Range<Int64>) -> Bool {
        RadioCore.Stretch.Kind.allCases.contains { kind in stretches[kind].contains { $0.range.overlaps(frames) } }
    }
}
