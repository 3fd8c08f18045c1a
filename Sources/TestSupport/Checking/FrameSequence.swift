// SPDX-License-Identifier: MIT

/// The frames of a source in order, some of which may be equal, and the comparison of a recording with it.
///
/// Frames that are equal are of one *kind*. A recording is aligned with the source as a whole, with as few frames lost
/// and put in as possible (Myers 1986), so that a jingle heard too often, or silence cut short, is told as that,
/// although none of its frames says where it belongs.
struct FrameSequence: Sendable {
    /// The kind of the frame at each place.
    private let kinds: [Int]
    /// The places of each kind.
    private let places: [[Int]]
    private let kindsByContent: [Content: Int]

    /// Bytes that are hashed all at once: a slice would be hashed byte by byte, which takes most of the time here.
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

    /// The kind of a frame; nil for a foreign one.
    func kind(of frame: ArraySlice<UInt8>) -> Int? { kindsByContent[Content(bytes: frame)] }

    func kind(at place: Int) -> Int { kinds[place] }

    /// The first place of a kind from `place` on, or else its last one.
    func firstPlace(of kind: Int, from place: Int) -> Int? {
        places[kind].first { $0 >= place } ?? places[kind].last
    }

    /// What became of the source in a recording whose frames are of these kinds; nil stands for foreign frames.
    func align(_ recording: [Int?]) -> (places: [Int?], lost: [Int], duplicated: [Int]) {
        let window = window(of: recording)
        let source = kinds[window]
        // Foreign frames are equal to nothing in the source: each has been put in, and costs time to compare.
        let known = recording.indices.filter { recording[$0] != nil }
        var missing: Set<Int> = []
        var added = Set(recording.indices.filter { recording[$0] == nil })
        for change in recording.compactMap(\.self).difference(from: source) {
            switch change {
            case .remove(let offset, _, _): missing.insert(window.lowerBound + offset)
            case .insert(let offset, _, _): added.insert(known[offset])
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
        // What was never joined, or came after the end, is not lost.
        let matched = recording.indices.filter { !added.contains($0) }.compactMap { found[$0] }
        guard let first = matched.first, let last = matched.last else { return (found, [], duplicated) }
        return (found, missing.filter { $0 > first && $0 < last }.sorted(), duplicated)
    }

    /// The stretch of the source that a recording can be of: as many frames in front of its first unmistakable one, and
    /// behind its last, as the recording has there.
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
