// SPDX-License-Identifier: MIT

import Instants
package import RadioCore

/// The segments of one recording, in order, and what is missing between them.
package struct LibraryRecording: Hashable, Sendable {
    /// The recording's ID; nil if it is unknown which recording the audio belongs to.
    package let id: String?
    package let segments: [LibrarySegment]

    /// Creates a recording from its segments, in any order.
    package init(id: String?, segments: [LibrarySegment]) {
        self.id = id
        self.segments = Self.inOrder(segments)
    }

    /// Groups segments, in any order, into recordings. A segment whose recording is unknown becomes a recording by
    /// itself. Recordings are in the order of their first segments in `segments`.
    package static func grouping(_ segments: some Sequence<LibrarySegment>) -> [LibraryRecording] {
        var groups: [[LibrarySegment]] = []
        var places: [String: Int] = [:]
        for segment in segments {
            guard let id = segment.sidecar?.recording else {
                groups.append([segment])
                continue
            }
            if let place = places[id] {
                groups[place].append(segment)
            } else {
                places[id] = groups.count
                groups.append([segment])
            }
        }
        return groups.map { LibraryRecording(id: $0.first?.sidecar?.recording, segments: $0) }
    }

    /// The state of the recording, which grows while its last segment does.
    package var state: Sidecar.State {
        if segments.last?.isGrowing == true { return .growing }
        return segments.contains { $0.sidecar?.state == .interrupted || $0.isGrowing } ? .interrupted : .complete
    }

    /// The segments with a sidecar but no audio.
    package var withoutAudio: [LibrarySegment] { segments.filter { $0.audio == nil } }

    /// The files that segments name as their neighbours, but that are not among the segments, as paths below the
    /// recordings folder, or as names where the folder is not certain.
    ///
    /// A neighbour may have got another name than expected: if the numbers follow each other, nothing is missing. A
    /// number that is left out does not prove that a file is missing, because a file that got no frame uses up a
    /// number, too.
    package var missing: [[String]] {
        let present = Set(segments.flatMap { [$0.path, $0.path.suffix(1)] })
        var missing: [[String]] = []
        for (index, segment) in segments.enumerated() {
            guard let sidecar = segment.sidecar else { continue }
            for step in [-1, 1] {
                guard let path = neighbour(of: index, step), !present.contains(path),
                    !missing.contains(path)
                else { continue }
                let neighbour = segments.indices.contains(index + step) ? segments[index + step].sidecar?.number : nil
                if let number = sidecar.number, neighbour == number + step { continue }
                missing.append(path)
            }
        }
        return missing
    }

    /// The path of a segment's neighbour, as the segment at `index` states it. A `step` of -1 means the previous
    /// neighbour, and 1 the next. The path has no folder if nothing shows in which folder the segment was recorded.
    func neighbour(of index: Int, _ step: Int) -> [String]? {
        guard let home = home(of: index) else { return link(index, step)?.suffix(1) }
        return link(index, step, from: home)
    }

    /// The folder in which a segment was recorded: where a segment beside it sees it. A segment that was moved sees the
    /// others in wrong places, so it counts only if it is itself where another one sees it.
    private func home(of index: Int) -> [String]? {
        let path = segments[index].path
        let told = [-1, 1].compactMap { side -> (path: [String], isSure: Bool)? in
            link(index + side, -side).map { ($0, isInPlace(index + side)) }
        }.filter { $0.path.last == path.last }
        let sure = told.first { $0.path == path } ?? told.first { $0.isSure }
        return sure.map { Array($0.path.dropLast()) }
    }

    private func isInPlace(_ index: Int) -> Bool {
        [link(index - 1, 1), link(index + 1, -1)].contains(segments[index].path)
    }

    private func link(_ index: Int, _ step: Int, from folders: [String]? = nil) -> [String]? {
        guard segments.indices.contains(index) else { return nil }
        let sidecar = segments[index].sidecar
        return Self.path(
            of: step < 0 ? sidecar?.previous : sidecar?.next, from: folders ?? segments[index].folders)
    }

    /// Puts the segments into the order in which their audio was on air.
    ///
    /// Numbered segments are in the order in which they were recorded, whatever the wall clock showed: each precedes
    /// the segment that it names as the next. If a segment names no next segment, or one that does not exist, the
    /// remaining segment with the lowest number is next. A segment without a number, such as the beginning of a show
    /// that was added later, precedes the first segment that was on air after it.
    private static func inOrder(_ segments: [LibrarySegment]) -> [LibrarySegment] {
        let numbered = segments.filter { $0.sidecar?.number != nil }.sorted {
            ($0.sidecar?.number ?? 0, $0.base) < ($1.sidecar?.number ?? 0, $1.base)
        }
        var left = Dictionary(numbered.map { ($0.path, $0) }) { first, _ in first }
        var ordered: [LibrarySegment] = []
        for segment in numbered {
            var next = left.removeValue(forKey: segment.path)
            while let found = next {
                ordered.append(found)
                next = path(of: found.sidecar?.next, from: found.folders).flatMap { left.removeValue(forKey: $0) }
            }
        }
        let others = segments.filter { $0.sidecar?.number == nil }.sorted { ($0.onAir, $0.base) < ($1.onAir, $1.base) }
        for segment in others {
            ordered.insert(segment, at: ordered.firstIndex { $0.onAir > segment.onAir } ?? ordered.endIndex)
        }
        return ordered
    }

    /// The target of a sidecar's link, below the recordings folder; nil if the link leads out of that folder.
    package static func path(of link: String?, from folders: [String]) -> [String]? {
        guard let link else { return nil }
        var path = folders
        for part in link.split(separator: "/", omittingEmptySubsequences: false).map(String.init) {
            if part == ".." {
                guard path.popLast() != nil else { return nil }
            } else {
                guard part.isPlainName else { return nil }
                path.append(part)
            }
        }
        return path
    }
}

extension LibrarySegment {
    /// The air time of the first frame, for sorting: a segment whose air time is unknown comes last.
    fileprivate var onAir: Int64 { sidecar?.at?.instant.nanoseconds ?? .max }
}
