// SPDX-License-Identifier: MIT

/// The frames of a source in order, and the comparison of a recording with them. Frames may be equal.
///
/// Equal frames have the same *kind*. A recording is aligned with the source as a whole, with as few lost and inserted
/// frames as possible (Myers 1986). So a repeated jingle or shortened silence is reported correctly, although none of
/// its frames has a unique place.
struct FrameSequence: Sendable {
    /// The kind of the frame at each place.
    private let kinds: [Int]
    /// The places of each kind.
    private let places: [[Int]]
    private let kindsByContent: [Content: Int]

    /// Bytes that are hashed in one piece. A slice would be hashed byte by byte, which would take most of the time
    /// here.
    private struct Content: Hashable {
        let bytes: ArraySlice<UInt8>

        func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
    }

    init(_ frames: some Sequence<ArraySlice<UInt8>>) {
        var (kinds, places): ([Int], [[Int]]) = ([], [])
        var kindsByContent: [Content: Int] = [:]
        for (place, frame) in frames.enumerated() {
            let content = Content(bytes: frame)
            let kind = kindsByContent[content] ?? places.count
            if kind == places.count {
                kindsByContent[content] = kind
                places.append([])
            }
            places[kind].append(place)
            kinds.append(kind)
        }
        (self.kinds, self.places, self.kindsByContent) = (kinds, places, kindsByContent)
    }

    /// The first two places that hold equal frames.
    var firstEqual: [Int]? { places.first { $0.count > 1 }.map { Array($0.prefix(2)) } }

    /// The kind of `frame`; nil if the source does not have it.
    func kind(of frame: ArraySlice<UInt8>) -> Int? { kindsByContent[Content(bytes: frame)] }

    func kind(at place: Int) -> Int { kinds[place] }

    /// The first place of `kind` at or after `place`; its last place if there is none.
    func firstPlace(of kind: Int, from place: Int) -> Int? {
        places[kind].first { $0 >= place } ?? places[kind].last
    }

    /// Aligns a recording, given as the kinds of its frames, with the source. The kind nil is a foreign frame.
    func align(_ recording: [Int?]) -> (places: [Int?], lost: [Int], duplicated: [Int]) {
        let window = window(of: recording)
        let source = kinds[window]
        // Foreign frames equal nothing in the source, so they count as inserted. Comparing them would only cost time.
        let known = recording.indices.filter { recording[$0] != nil }
        var missing: Set<Int> = []
        var added = Set(recording.indices.filter { recording[$0] == nil })
        let kinds = known.compactMap { recording[$0] }
        if let places = onlyPlaces(of: kinds) {
            missing = Set(window).subtracting(places)
        } else {
            // The search takes long where much comes twice, and a common start needs none.
            let same = zip(kinds, source).prefix { $0 == $1 }.count
            for change in kinds.dropFirst(same).difference(from: source.dropFirst(same)) {
                switch change {
                case .remove(let offset, _, _): missing.insert(window.lowerBound + same + offset)
                case .insert(let offset, _, _): added.insert(known[same + offset])
                }
            }
        }
        var (found, duplicated): ([Int?], [Int]) = ([], [])
        var next = window.lowerBound
        for (index, kind) in recording.enumerated() {
            if added.contains(index) {
                let place = kind.flatMap { nearest($0, to: next) }
                if let place { duplicated.append(place) }
                found.append(place)
            } else {
                while missing.contains(next) { next += 1 }
                found.append(next)
                next += 1
            }
        }
        // Frames of the source that lie before the start or after the end of the recording are not lost.
        let matched = recording.indices.filter { !added.contains($0) }.compactMap { found[$0] }
        guard let first = matched.first, let last = matched.last else { return (found, [], duplicated) }
        return (found, missing.filter { $0 > first && $0 < last }.sorted(), duplicated)
    }

    /// The places of `kinds`, if each kind has only one and they ascend. There is one alignment then, which needs no
    /// search.
    private func onlyPlaces(of kinds: [Int]) -> [Int]? {
        let only = kinds.map { places[$0] }
        guard only.allSatisfy({ $0.count == 1 }) else { return nil }
        let flat = only.map { $0[0] }
        return zip(flat, flat.dropFirst()).allSatisfy(<) ? flat : nil
    }

    /// The section of the source that a recording may cover. It extends as many frames before the first unique recorded
    /// frame, and after the last, as the recording does.
    private func window(of recording: [Int?]) -> Range<Int> {
        func isUnmistakable(_ kind: Int?) -> Bool { kind.map { places[$0].count == 1 } ?? false }
        guard let first = recording.firstIndex(where: isUnmistakable),
            let last = recording.lastIndex(where: isUnmistakable),
            let from = recording[first].map({ places[$0][0] }), let to = recording[last].map({ places[$0][0] })
        else {
            guard let from = recording.lazy.compactMap({ $0 }).first.map({ places[$0][0] }) else { return 0..<0 }
            return from..<min(kinds.count, from + recording.count)
        }
        let start = max(0, min(from, to) - first)
        return start..<max(start, min(kinds.count, max(from, to) + recording.count - last))
    }

    private func nearest(_ kind: Int, to place: Int) -> Int? {
        places[kind].min { abs($0 - place) < abs($1 - place) }
    }
}
