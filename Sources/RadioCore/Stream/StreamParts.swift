// SPDX-License-Identifier: MIT

import Instants
package import RadioFormats

/// A queue of stream parts with the bytes of their frames, first in, first out: parts that wait, or that are on their
/// way to another thread.
///
/// Holds at most one format, one title and one break of each kind before a frame, so that a stream cannot use up memory
/// by sending them without audio.
package struct StreamParts: Sendable {
    private struct Held: Sendable {
        var part: StreamPart
        /// The size of the frame in bytes; 0 for any other part.
        var length: Int

        /// The approximate memory in bytes; even a frame without bytes takes some.
        var size: Int {
            guard case .title(let text, let raw, let url) = part else { return max(length, Self.least) }
            return Self.least + text.utf8.count + raw.count + (url?.utf8.count ?? 0)
        }

        private static let least = 32

        var duration: Duration {
            guard case .frame(let facts) = part else { return .zero }
            return facts.mark?.duration ?? .zero
        }
    }

    private var parts: [Held] = []
    private var bytes: [UInt8] = []
    /// The number of frames.
    package private(set) var frames = 0
    /// The approximate memory of all parts in bytes.
    package private(set) var size = 0
    /// The playing time of the frames that have a fingerprint.
    package private(set) var duration = Duration.zero

    package init() {}

    package var isEmpty: Bool { parts.isEmpty }

    /// The format before the first frame; nil if there is none.
    package var firstFormat: StreamFormat? {
        for held in parts {
            switch held.part {
            case .format(let format): return format
            case .frame: return nil
            case .title, .resync, .missing: continue
            }
        }
        return nil
    }

    /// Whether one of the parts is ``StreamPart/missing(samples:)``.
    package var hasMissing: Bool {
        parts.contains { if case .missing = $0.part { true } else { false } }
    }

    /// The fingerprints and playing times of the frames that have them.
    package var marks: [FrameMark] {
        parts.compactMap { if case .frame(let facts) = $0.part { facts.mark } else { nil } }
    }

    /// Adds anything but a frame.
    package mutating func append(_ part: StreamPart) {
        append(part, UnsafeRawBufferPointer(start: nil, count: 0))
    }

    package mutating func append(_ part: StreamPart, _ frame: UnsafeRawBufferPointer) {
        if case .frame = part { frames += 1 } else { forget(part) }
        let held = Held(part: part, length: frame.count)
        parts.append(held)
        size += held.size
        duration += held.duration
        bytes.append(contentsOf: frame)
    }

    /// Removes and returns the oldest `count` frames with the parts before them. If no frames remain, the parts after
    /// the last frame are included.
    package mutating func prefix(_ count: Int) -> StreamParts {
        var taken = StreamParts()
        guard count < frames else {
            swap(&taken, &self)
            return taken
        }
        let end = place(behind: count)
        taken.parts = Array(parts[..<end])
        taken.bytes = Array(bytes.prefix(taken.parts.reduce(0) { $0 + $1.length }))
        taken.frames = count
        taken.size = taken.parts.reduce(0) { $0 + $1.size }
        taken.duration = taken.parts.reduce(.zero) { $0 + $1.duration }
        remove(end)
        return taken
    }

    /// Calls `take` for all parts in order.
    package func forEach(_ take: (StreamPart, UnsafeRawBufferPointer) -> Void) {
        var offset = 0
        bytes.withUnsafeBytes { bytes in
            for held in parts {
                take(held.part, UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + held.length]))
                offset += held.length
            }
        }
    }

    /// Drops the oldest `count` frames. Keeps the last format and the last title before their end, because these apply
    /// to the frames that follow.
    package mutating func drop(_ count: Int) {
        guard count > 0 else { return }
        let end = place(behind: count)
        var format: Held?
        var title: Held?
        for held in parts[..<end] {
            switch held.part {
            case .format: format = held
            case .title: title = held
            case .resync, .missing, .frame: break
            }
        }
        remove(end)
        let kept = [format, title].compactMap(\.self)
        parts.insert(contentsOf: kept, at: 0)
        size += kept.reduce(0) { $0 + $1.size }
    }

    /// Drops the earlier part of the same kind that waits for the next frame, because only the last such part applies.
    private mutating func forget(_ part: StreamPart) {
        let lastFrame = parts.lastIndex { if case .frame = $0.part { true } else { false } }
        let waiting = (lastFrame.map { $0 + 1 } ?? 0)..<parts.count
        guard let old = waiting.first(where: { part.isOfSameKind(as: parts[$0].part) }) else { return }
        size -= parts.remove(at: old).size
    }

    /// The index of the part after the first `count` frames.
    private func place(behind count: Int) -> Int {
        guard count > 0 else { return 0 }
        var seen = 0
        for (index, held) in parts.enumerated() {
            if case .frame = held.part { seen += 1 }
            if seen == count { return index + 1 }
        }
        return parts.count
    }

    /// Removes the parts before the index `end`.
    private mutating func remove(_ end: Int) {
        guard end < parts.count else { return self = StreamParts() }
        for held in parts[..<end] {
            size -= held.size
            duration -= held.duration
            if case .frame = held.part { frames -= 1 }
        }
        bytes.removeFirst(parts[..<end].reduce(0) { $0 + $1.length })
        parts.removeFirst(end)
    }
}

extension StreamParts {
    /// Reads parts one after the other. A value.
    package struct Reader: Sendable {
        private let parts: StreamParts
        private var index = 0
        private var offset = 0

        package init(_ parts: StreamParts = StreamParts()) {
            self.parts = parts
        }

        /// The current part; nil after the last one.
        package var part: StreamPart? { index < parts.parts.count ? parts.parts[index].part : nil }

        /// Calls `body` with the bytes of the current part.
        package func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
            let length = parts.parts[index].length
            parts.bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[offset..<offset + length])) }
        }

        /// Moves to the next part.
        package mutating func advance() {
            offset += parts.parts[index].length
            index += 1
        }
    }
}
