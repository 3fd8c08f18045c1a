// SPDX-License-Identifier: MIT

/// The findings of a ``FrameChecker`` in a recording.
package struct FrameReport: Sendable, CustomStringConvertible {
    /// The place in the source of each recorded frame, in the order of the recording; nil for a foreign frame.
    package internal(set) var places: [Int?] = []
    /// The number of bytes outside frames that are not recognised.
    package internal(set) var junkBytes = 0
    /// The number of bytes in ID3v2 tags and FLAC heads.
    package internal(set) var tagBytes = 0
    /// The number of Xing or Info frames.
    package internal(set) var infoFrames = 0
    /// Errors in the framing of Ogg files: checksums, page numbers, flags.
    package internal(set) var problems: [String] = []

    /// The places between the first and the last recorded frame that were not recorded.
    package private(set) var lost: [Int] = []
    /// The places that were recorded more than once.
    package private(set) var duplicated: [Int] = []
    /// The number of recorded frames that come later in the source than the frame recorded after them.
    package private(set) var disorders = 0

    init() {}

    /// Creates a report on frames that were aligned with a source.
    init(_ alignment: (places: [Int?], lost: [Int], duplicated: [Int])) { judge(by: alignment) }

    package var first: Int? { places.lazy.compactMap { $0 }.min() }
    package var last: Int? { places.lazy.compactMap { $0 }.max() }
    /// The number of recorded frames that the source does not have.
    package var foreign: Int { places.count { $0 == nil } }

    /// Whether the recording is a section of the source: each frame from the first to the last once, in order, with
    /// nothing between them.
    package var isExact: Bool {
        !places.isEmpty && lost.isEmpty && duplicated.isEmpty && disorders == 0 && foreign == 0 && junkBytes == 0
            && problems.isEmpty
    }

    /// The recorded section of the source; nil unless ``isExact``.
    package var exactStretch: ClosedRange<Int>? {
        guard isExact, let first, let last else { return nil }
        return first...last
    }

    package var description: String {
        let stretch = first.flatMap { first in last.map { "\(first)...\($0)" } } ?? "none"
        func list(_ places: [Int]) -> String { "\(places.count)" + (places.isEmpty ? "" : " \(places.prefix(8))") }
        return "\(places.count) frames (\(stretch)), lost \(list(lost)), duplicated \(list(duplicated))"
            + ", foreign \(foreign), disorders \(disorders), junk \(junkBytes) bytes, tags \(tagBytes) bytes"
            + ", Info frames \(infoFrames)" + (problems.isEmpty ? "" : ", \(problems.prefix(5))")
    }

    /// Derives the lost and duplicated places and the disorders from ``places``.
    mutating func judgeOrder() {
        let known = places.compactMap { $0 }
        guard let first = known.min(), let last = known.max() else { return }
        var counts = [Int](repeating: 0, count: last - first + 1)
        for place in known { counts[place - first] += 1 }
        lost = counts.indices.filter { counts[$0] == 0 }.map { $0 + first }
        duplicated = counts.indices.filter { counts[$0] > 1 }.map { $0 + first }
        disorders = zip(known, known.dropFirst()).count { $0 > $1 }
    }

    /// Takes the results of an alignment with a source that has equal frames.
    mutating func judge(by alignment: (places: [Int?], lost: [Int], duplicated: [Int])) {
        (places, lost, duplicated) = alignment
        let known = places.compactMap { $0 }
        disorders = zip(known, known.dropFirst()).count { $0 > $1 }
    }
}
