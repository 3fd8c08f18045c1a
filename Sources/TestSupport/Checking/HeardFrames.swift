// SPDX-License-Identifier: MIT

import Glibc
package import RadioCore

/// Collects the frames that a station delivers and reports which places of a ``Broadcast`` they have. Meant for many
/// runs in virtual time, for which writing and checking files would be too slow.
///
///     var heard = HeardFrames(of: programme)
///     // in the sink: if case .chunk(let chunk) = event { heard.add(chunk) }
///     #expect(heard.report.exactStretch == 12...3_000)
///
/// A frame that follows the previous one in the programme costs one comparison. Indexing the programme takes some
/// milliseconds: create one value for many runs, and copy it.
package struct HeardFrames: Sendable {
    private let programme: Broadcast
    private let sequence: FrameSequence
    /// The kinds of the collected frames; nil for frames that the programme does not have.
    private var kinds: [Int?] = []
    /// The place of each collected frame; nil for frames that the programme does not have. Of equal frames, the place
    /// is the one that follows best, so only programmes without equal frames have certain places.
    package private(set) var places: [Int?] = []
    /// The place of the next expected frame.
    private var next: Int?

    package init(of programme: Broadcast) {
        self.programme = programme
        sequence = FrameSequence(programme.frames.lazy.map(\.bytes))
    }

    package var count: Int { kinds.count }

    /// Adds the frames of a chunk. Loop thread only, like all access to a slab.
    package mutating func add(_ chunk: Chunk) {
        chunk.slice.withBytes { bytes in
            for frame in chunk.frames {
                let range = chunk.slab.range(ofFrame: frame)
                let start = range.lowerBound - chunk.bytes.lowerBound
                add(UnsafeRawBufferPointer(rebasing: bytes[start..<(start + range.count)]))
            }
        }
    }

    /// Adds one frame.
    package mutating func add(_ frame: UnsafeRawBufferPointer) {
        if let next, next < programme.frames.count, isFrame(frame, at: next) {
            kinds.append(sequence.kind(at: next))
            places.append(next)
            self.next = next + 1
        } else {
            let kind = sequence.kind(of: Array(frame)[...])
            kinds.append(kind)
            places.append(kind.flatMap { sequence.firstPlace(of: $0, from: next ?? 0) })
            next = places.last.flatMap { $0 }.map { $0 + 1 } ?? next
        }
    }

    /// The comparison of the collected frames with the programme. Takes longer if they are not a contiguous section.
    package var report: FrameReport { FrameReport(sequence.align(kinds)) }

    private func isFrame(_ frame: UnsafeRawBufferPointer, at place: Int) -> Bool {
        programme.frames[place].bytes.withUnsafeBytes { expected in
            guard expected.count == frame.count, let one = expected.baseAddress, let other = frame.baseAddress else {
                return false
            }
            return memcmp(one, other, frame.count) == 0
        }
    }
}
