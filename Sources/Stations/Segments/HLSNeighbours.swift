// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// Keeps the segments beside those that are missing. If a missing one comes after all, its frames are read together
/// with theirs: frames may straddle segments, and equal frames on both sides show where the found ones belong.
struct HLSNeighbours {
    private struct Kept {
        var bytes: [UInt8]
        var section: [UInt8]?
        var segment: ListedSegment
    }

    /// The segment that was delivered last.
    private var last: (id: HLSSegmentID, kept: Kept)?
    private var kept: [HLSSegmentID: Kept] = [:]
    /// The segments that are missing.
    private var missing: Set<HLSSegmentID> = []

    /// Some ten segments of a usual station on each side.
    private static let mostKept = 64
    private static let mostBytes = 16 << 20

    /// A segment is delivered in its order.
    mutating func deliver(_ id: HLSSegmentID, _ bytes: [UInt8], _ section: [UInt8]?, _ segment: ListedSegment) {
        let new = Kept(bytes: bytes, section: section, segment: segment)
        if missing.contains(id.before) { keep(id, new) }
        last = (id, new)
    }

    mutating func leaveOut(_ id: HLSSegmentID) {
        missing.insert(id)
        if let last, last.id == id.before { keep(last.id, last.kept) }
    }

    private mutating func keep(_ id: HLSSegmentID, _ new: Kept) {
        kept[id] = new
        let size = kept.values.reduce(0) { $0 + $1.bytes.count }
        if kept.count > Self.mostKept || size > Self.mostBytes { (kept, missing) = ([:], []) }
    }

    /// A missing segment has come. Returns its frames, with those of the segments around it that are kept.
    mutating func found(
        _ id: HLSSegmentID, _ bytes: [UInt8], _ section: [UInt8]?, _ segment: ListedSegment
    ) -> [SpareFrames] {
        keep(id, Kept(bytes: bytes, section: section, segment: segment))
        var first = id
        while kept[first.before] != nil { first = first.before }
        var spare = HLSSpare()
        var next = first
        while let piece = kept[next] {
            spare.add(piece.bytes, section: piece.section, piece.segment)
            next.number += 1
        }
        return [spare.take()].compactMap(\.self)
    }
}

extension HLSSegmentID {
    fileprivate var before: HLSSegmentID { HLSSegmentID(lineage: lineage, number: number - 1) }
}
