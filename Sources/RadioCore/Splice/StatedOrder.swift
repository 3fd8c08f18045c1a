// SPDX-License-Identifier: MIT

package import RadioFormats

/// Follows the places that a stream states for its frames. A pure value.
package struct StatedOrder: Sendable {
    /// The place of the next frame; nil if the stream does not state it.
    package private(set) var end: StatedPlace?
    /// Whether the stream states the places of all frames since ``begin()``. Then it also states what is missing
    /// between them.
    package private(set) var isWhole = false

    package init() {}

    package mutating func begin() { isWhole = end != nil }

    /// Takes the next frames. All of them have a stated place, or none.
    package mutating func follow(_ batch: FrameBatch) {
        guard batch.count > 0 else { return }
        let (first, last) = (batch[0], batch[batch.count - 1])
        if end.flatMap({ first.place?.samples(since: $0) }) == nil { isWhole = false }
        end = last.place?.advanced(by: last.samples)
    }
}
