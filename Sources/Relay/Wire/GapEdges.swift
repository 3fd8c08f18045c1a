// SPDX-License-Identifier: MIT

import RadioCore

/// Where a programme goes on after each of its gaps: a value. Bounded; of the oldest only their number is kept.
struct GapEdges {
    /// How many gaps there were.
    private(set) var count = 0
    /// The last ones.
    private var edges: [RingCursor] = []

    /// More than a ring has room for, as no gap is decided in less than a second or two.
    private static let limit = 64

    mutating func add(_ edge: RingCursor) {
        count += 1
        if edges.count == Self.limit { edges.removeFirst() }
        edges.append(edge)
    }

    /// The edge of the newest gap; nil where there was none.
    var newest: RingCursor? { edges.last }

    /// The edge of a gap by its number, from 0 on; nil where it is forgotten or to come.
    subscript(number: Int) -> RingCursor? {
        let index = number - (count - edges.count)
        return edges.indices.contains(index) ? edges[index] : nil
    }
}
