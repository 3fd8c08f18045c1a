// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// A unit of appended data: a file is only ever cut between units.
struct WriterItem: Sendable {
    enum Payload: Sendable {
        /// By reference: nothing is copied on the way to the disk.
        case slab(SlabSlice)
        case bytes([UInt8])
    }

    private(set) var payload: Payload
    /// The total number of bytes.
    private(set) var count: Int
    var frames: Int
    /// Bytes of the frames alone: fewer than ``count`` if the frames are in pages.
    var frameBytes: Int
    var samples: Int64
    /// When the item was appended.
    var arrival: MonotonicInstant
    /// The air time of the first frame; nil if unknown.
    let at: WallInstant?

    init(
        payload: Payload, frames: Int, frameBytes: Int, samples: Int64, arrival: MonotonicInstant,
        at: WallInstant? = nil
    ) {
        self.at = at
        self.payload = payload
        self.frames = frames
        self.frameBytes = frameBytes
        self.samples = samples
        self.arrival = arrival
        count =
            switch payload {
            case .slab(let slice): slice.count
            case .bytes(let bytes): bytes.count
            }
    }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        switch payload {
        case .slab(let slice): slice.withBytes(body)
        case .bytes(let bytes): bytes.withUnsafeBytes(body)
        }
    }

    /// Renumbers the item's pages.
    mutating func renumber(_ continuation: inout OggContinuation) {
        guard case .bytes(let pages) = payload else { return }
        let renumbered = continuation.apply(to: pages)
        (payload, count) = (.bytes(renumbered), renumbered.count)
    }

    /// Merges the next item into this one. Returns false unless its bytes follow in the same slab.
    mutating func absorb(_ next: WriterItem) -> Bool {
        guard case .slab(let mine) = payload, case .slab(let other) = next.payload, mine.slab === other.slab,
            mine.range.upperBound == other.range.lowerBound
        else { return false }
        payload = .slab(SlabSlice(mine.slab, mine.range.lowerBound..<other.range.upperBound))
        count += next.count
        frames += next.frames
        frameBytes += next.frameBytes
        samples += next.samples
        return true
    }
}
