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

    /// Creates a batch of one frame.
    package init(_ facts: FrameFacts, length: Int) {
        append(facts, length: length)
    }

    /// Creates a batch of frames that a framer returned together.
    package init(_ frames: ArraySlice<Frame>) {
        entries.reserveCapacity(frames.count)
        for frame in frames { append(FrameFacts(frame), length: frame.range.count) }
    }

    package var count: Int { entries.count }
    /// The size of all frames in bytes.
    package var byteCount: Int { entries.last?.end ?? 0 }

    /// The facts about a frame.
    package subscript(index: Int) -> FrameFacts { entries[index].facts }

    /// The range of a frame in the bytes of the batch.
    package func range(of index: Int) -> Range<Int> { end(before: index)..<entries[index].end }

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

    /// Adds the next frame; ignores a frame without bytes.
    private mutating func append(_ facts: FrameFacts, length: Int) {
        guard length > 0 else { return }
        entries.append(Entry(facts: facts, end: end(before: entries.count) + length))
    }

    private func end(before index: Int) -> Int { index == 0 ? 0 : entries[index - 1].end }
}
