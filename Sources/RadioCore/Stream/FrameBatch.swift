// SPDX-License-Identifier: MIT

package import RadioFormats

/// Whole frames that lie one behind the other: what is to be known of each, and where it ends. Their bytes go beside
/// it. A value.
///
/// A delivery brings dozens of frames. Little of what happens to them on their way must happen to each by itself.
package struct FrameBatch: Sendable {
    private struct Entry: Sendable {
        var facts: FrameFacts
        /// Offset of the first byte behind the frame.
        var end: Int
    }

    private var entries: [Entry] = []

    /// A batch of one frame.
    package init(_ facts: FrameFacts, length: Int) {
        append(facts, length: length)
    }

    /// Frames that a framer gave out together.
    package init(_ frames: ArraySlice<Frame>) {
        entries.reserveCapacity(frames.count)
        for frame in frames { append(FrameFacts(frame), length: frame.range.count) }
    }

    package var count: Int { entries.count }
    /// Bytes of all frames.
    package var byteCount: Int { entries.last?.end ?? 0 }

    /// What is to be known of a frame.
    package subscript(index: Int) -> FrameFacts { entries[index].facts }

    /// Where a frame lies in the bytes.
    package func range(of index: Int) -> Range<Int> { end(before: index)..<entries[index].end }

    /// Each frame by itself, with its bytes; `bytes` are those of all frames.
    package func forEach(
        in bytes: UnsafeRawBufferPointer, _ body: (FrameFacts, UnsafeRawBufferPointer) -> Void
    ) {
        for index in entries.indices {
            body(entries[index].facts, UnsafeRawBufferPointer(rebasing: bytes[range(of: index)]))
        }
    }

    /// Changes what is known of each frame.
    mutating func update(
        in bytes: UnsafeRawBufferPointer, _ body: (inout FrameFacts, UnsafeRawBufferPointer) -> Void
    ) {
        for index in entries.indices {
            let frame = UnsafeRawBufferPointer(rebasing: bytes[range(of: index)])
            body(&entries[index].facts, frame)
        }
    }

    /// Adds the next frame; one without bytes is none.
    private mutating func append(_ facts: FrameFacts, length: Int) {
        guard length > 0 else { return }
        entries.append(Entry(facts: facts, end: end(before: entries.count) + length))
    }

    private func end(before index: Int) -> Int { index == 0 ? 0 : entries[index - 1].end }
}
