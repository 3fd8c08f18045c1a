// SPDX-License-Identifier: MIT

/// Detects by the bit reservoir of layer III whether frames are missing between two frames received one after the
/// other.
///
/// The main data of a frame begins where that of the previous frame ends, or later. A frame that reaches further back
/// needs bytes of a frame that was not received. A loss shows in this way only if the reservoir grew during the loss.
/// So at best every second loss is detected, and none if an encoder uses no reservoir.
///
/// One wrong bit in the side information of a frame looks much like a loss. So the frames on both sides of the place
/// must adjoin their other neighbours to the byte, and an excess that one wrong bit could cause is ignored. A false
/// report is then possible only for a frame with several wrong bits in its lengths and no other sign of damage.
struct BitReservoir {
    /// How many bytes the last frame left for the next one; nil if unknown.
    private var left: Int?
    /// Whether the main data of the last frame began exactly where that of the frame before it ended.
    private var isExact = false
    /// The number of frames that reached back since the last frame that reached back too far. The count stops at
    /// ``enough``.
    private var consistent = 0

    /// Whether frames may be missing before this one. If the next frame adjoins this one, the lengths in this frame are
    /// right, and frames are missing. No frame is suspect until the stream has been consistent for a while: some
    /// streams are assembled from pieces of others.
    func isSuspect(_ frame: MainData?) -> Bool {
        guard consistent >= Self.enough, isExact, let excess = excess(of: frame) else { return false }
        // One wrong bit in the previous frame changes the excess by a power of two: `main_data_begin` counts bytes,
        // `part2_3_length` counts bits.
        return excess > 0 && excess.nonzeroBitCount > 1
    }

    /// Takes the next frame. `frame` is nil if its lengths are unreliable.
    mutating func take(_ frame: MainData?) {
        let excess = excess(of: frame)
        if let excess, excess > 0 {
            consistent = 0
        } else if let frame, frame.reachesBack > 0, consistent < Self.enough {
            consistent += 1
        }
        isExact = excess == 0
        // Main data that ends beyond its frame is invalid.
        left = frame.flatMap { $0.leaves >= 0 ? $0.leaves : nil }
    }

    /// Forgets the last frame: the next frame need not follow it.
    mutating func reset() {
        left = nil
    }

    /// How many bytes further back `frame` reaches than the last frame allows; nil if unknown.
    private func excess(of frame: MainData?) -> Int? {
        guard let frame, let left else { return nil }
        return frame.reachesBack - left
    }

    private static let enough = 100
}
