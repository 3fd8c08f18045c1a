// SPDX-License-Identifier: MIT

package import RadioFormats

/// Consecutive whole frames: the facts about each frame, and where it ends. The bytes of the frames are passed
/// alongside.
///
/// A delivery contains dozens of frames, and few steps on their path need to handle each frame by itself.
package struct FrameBatch: Sendable {
    private struct Entry: Sendable {
        var facts: FrameFacts
        /// The offset of the frame's end.
        var end: Int
    }

    private var entries: [Entry] = []

    package init() {}

    /// Creates a batch of one frame.
    package init(_ facts: FrameFacts, length: Int) {
        append(facts, length: length)
    }

    /// Creates a batch of frames that a framer returned together.
    package init(_ frames: [Frame]) {
        entries.reserveCapacity(frames.count)
        for frame in frames { append(FrameFacts(frame), length: frame.range.count) }
    }

    package var count: Int { entries.count }
    /// The size of all frames in bytes.
    package var byteCount: Int { entries.last?.end ?? 0 }

    /// The facts about a frame.
    package subscript(index: Int) -> FrameFacts { entries[index].facts }

    /// Some of the frames, as a batch of their own.
    package subscript(indices: Range<Int>) -> FrameBatch {
        if indices == entries.indices { return self }
        var part = FrameBatch()
        let start = end(before: indices.lowerBound)
        part.entries = entries[indices].map { Entry(facts: $0.facts, end: $0.end - start) }
        return part
    }

    /// The range of a frame in the bytes of the batch.
    package func range(of index: Int) -> Range<Int> { end(before: index)..<entries[index].end }

    /// The range of some of the frames in the bytes of the batch.
    package func range(of indices: Range<Int>) -> Range<Int> {
        end(before: indices.lowerBound)..<end(before: indices.upperBound)
    }

    /// Calls `body` for each frame with its bytes; `bytes` holds the bytes of all frames.
    package func forEach(
        in bytes: UnsafeRawBufferPointer, _ body: (FrameFacts, UnsafeRawBufferPointer) -> Void
    ) {
        for index in entries.indices {
            body(entries[index].facts, UnsafeRawBufferPointer(rebasing: bytes[range(of: index)]))
        }
    }

    /// Lets `body` change the facts about each frame.
    mutating func update(
        in bytes: UnsafeRawBufferPointer, _ body: (inout FrameFacts, UnsafeRawBufferPointer) -> Void
    ) {
        for index in entries.indices {
            let frame = UnsafeRawBufferPointer(rebasing: bytes[range(of: index)])
            body(&entries[index].facts, frame)
        }
    }

    /// Adds frames that follow.
    package mutating func append(_ other: FrameBatch) {
        guard !entries.isEmpty else { return self = other }
        let start = byteCount
        for entry in other.entries { entries.append(Entry(facts: entry.facts, end: start + entry.end)) }
    }

    /// Adds the next frame; ignores a frame without bytes.
    private mutating func append(_ facts: FrameFacts, length: Int) {
        guard length > 0 else { return }
        entries.append(Entry(facts: facts, end: byteCount + length))
    }

    private func end(before index: Int) -> Int { index == 0 ? 0 : entries[index - 1].end }
}
