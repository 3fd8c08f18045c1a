// SPDX-License-Identifier: MIT

/// What a ``FrameChecker`` found in a recording.
package struct FrameReport: Sendable, CustomStringConvertible {
    /// For each recorded frame, in the order of the recording, its place in the source; nil for a foreign one.
    package internal(set) var places: [Int?] = []
    /// Bytes between frames that are nothing.
    package internal(set) var junkBytes = 0
    /// Bytes of ID3v2 tags.
    package internal(set) var tagBytes = 0
    /// Xing or Info frames.
    package internal(set) var infoFrames = 0
    /// What is wrong with the framing of an Ogg file: checksums, page numbers, flags.
    package internal(set) var problems: [String] = []

    /// Places of the source between the first and the last recorded one that were not recorded.
    package private(set) var lost: [Int] = []
    /// Places that were recorded more than once.
    package private(set) var duplicated: [Int] = []
    /// How often a frame came after one that follows it in the source.
    package private(set) var disorders = 0

    init() {}

    /// A report on frames that were aligned with a source.
    init(_ alignment: (places: [Int?], lost: [Int], duplicated: [Int])) {
        judge(by: alignment)
    }

    package var first: Int? { places.lazy.compactMap { $0 }.min() }
    package var last: Int? { places.lazy.compactMap { $0 }.max() }
    /// How many frames were recorded that the source does not have.
    package var foreign: Int { places.count { $0 == nil } }

    /// Whether the recording is a stretch of the source: each frame between the first and the last once, in order, with
    /// nothing between them.
    package var isExact: Bool {
        !places.isEmpty && lost.isEmpty && duplicated.isEmpty && disorders == 0 && foreign == 0 && junkBytes == 0
            && problems.isEmpty
    }

    /// The stretch of the source that was recorded, where it is one without a fault.
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

    /// Fills in what follows from ``places``.
    mutating func judgeOrder() {
        let known = places.compactMap { $0 }
        guard let first = known.min(), let last = known.max() else { return }
        var counts = [Int](repeating: 0, count: last - first + 1)
        for place in known { counts[place - first] += 1 }
        lost = counts.indices.filter { counts[$0] == 0 }.map { $0 + first }
        duplicated = counts.indices.filter { counts[$0] > 1 }.map { $0 + first }
        disorders = zip(known, known.dropFirst()).count { $0 > $1 }
    }

    /// Takes what an alignment says of a source in which frames may be equal.
    mutating func judge(by alignment: (places: [Int?], lost: [Int], duplicated: [Int])) {
        (places, lost, duplicated) = alignment
        let known = places.compactMap { $0 }
        disorders = zip(known, known.dropFirst()).count { $0 > $1 }
    }
}
