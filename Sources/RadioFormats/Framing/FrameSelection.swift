// SPDX-License-Identifier: MIT

/// Counts the frames of a file to find the wanted frames, even if some frames are damaged.
package struct FrameSelection: Hashable, Sendable {
    /// The wanted frames of the file, from 0.
    private let wanted: Range<Int64>
    /// The number of frames that were written to the file.
    private let known: Int64
    /// The number of undamaged frames counted so far.
    private var found: Int64
    /// The number of the next frame.
    package private(set) var position: Int64
    /// The number of wanted frames that were written but are lost.
    package private(set) var missing: Int64 = 0

    /// `first`: the frame from which on the file is read.
    package init(_ wanted: Range<Int64>, known: Int64 = .max, from first: Int64 = 0) {
        (self.wanted, self.known) = (wanted, known)
        (found, position) = (first, first)
    }

    /// Whether no later frame is wanted.
    package var isOver: Bool { position >= wanted.upperBound || found >= known }

    /// Counts a frame. Returns whether it is wanted.
    package mutating func takeNext() -> Bool {
        defer { (found, position) = (found + 1, position + 1) }
        return wanted.contains(position)
    }

    /// Counts the frames before `end`. Returns how many there are; nil if it is not certain that all are wanted.
    package mutating func take(upTo end: Int64) -> Int64? {
        guard found == position, wanted.contains(position), end > position, end <= min(wanted.upperBound, known) else {
            return nil
        }
        defer { (found, position) = (end, end) }
        return end - position
    }

    /// Skips the numbers of frames that were lost to damage, so that the frames after them keep theirs.
    package mutating func lose(_ count: Int64) {
        lose(upTo: position.addingSaturated(max(0, count)))
    }

    /// Counts the rest of the wanted frames as lost, at the end of the file.
    package mutating func end() { lose(upTo: wanted.upperBound) }

    private mutating func lose(upTo end: Int64) {
        let lost = position..<max(position, min(end, known))
        missing += Int64(lost.clamped(to: wanted).count)
        position = lost.upperBound
    }
}
