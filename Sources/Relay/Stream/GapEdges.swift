// SPDX-License-Identifier: MIT

import RadioCore

/// The places at which a programme resumes after its gaps. A value of bounded size: old gaps are only counted.
struct GapEdges {
    /// The number of gaps so far.
    private(set) var count = 0
    /// The edges of the last gaps: the places at which the programme resumes after them.
    private var edges: [RingCursor] = []

    /// The maximum number of edges kept. A ring cannot contain more gaps, because each gap is decided only after one or
    /// two seconds.
    private static let limit = 64

    mutating func add(_ edge: RingCursor) {
        count += 1
        if edges.count == Self.limit { edges.removeFirst() }
        edges.append(edge)
    }

    /// The number of gaps before the frame at a place.
    func count(before place: RingCursor) -> Int { count - edges.count { $0 > place } }

    /// The edge of the newest gap; nil if there was none.
    var newest: RingCursor? { edges.last }

    /// The edge of the gap with this number, from 0 on; nil if it is no longer kept or has not happened yet.
    subscript(number: Int) -> RingCursor? {
        let index = number - (count - edges.count)
        return edges.indices.contains(index) ? edges[index] : nil
    }
}
