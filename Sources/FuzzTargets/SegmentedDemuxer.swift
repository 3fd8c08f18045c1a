// SPDX-License-Identifier: MIT

import RadioFormats

/// A demuxer that is told at fixed places that a segment ends and the next one begins, and now and then that what
/// follows does not continue.
struct SegmentedDemuxer<Base: Demuxer>: Demuxer {
    private var base: Base
    private let length: Int
    private var count = 0

    /// `length` is that of each segment.
    init(_ base: Base, length: Int) { (self.base, self.length) = (base, length) }

    mutating func push(_ bytes: UnsafeRawBufferPointer, _ take: (Demuxed) -> Void) throws(DemuxProblem) {
        var rest = bytes
        while !rest.isEmpty {
            if count % (7 * length) == 0 { base.restart() }
            if count % length == 0 { base.segmentBegins() }
            let part = rest.prefix(length - count % length)
            try base.push(UnsafeRawBufferPointer(rebasing: part), take)
            count += part.count
            rest = UnsafeRawBufferPointer(rebasing: rest[part.count...])
            // Every other segment ends without being told so.
            if count % (2 * length) == 0 { try base.segmentEnds(take) }
        }
    }

    mutating func finish(_ take: (Demuxed) -> Void) throws(DemuxProblem) { try base.finish(take) }
}
