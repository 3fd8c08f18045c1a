// SPDX-License-Identifier: MIT

/// Tells from the bit reservoir of layer III whether frames are missing between two that came one after the other.
///
/// The main data of a frame begins where that of the previous frame ends, or later. A frame that reaches further back
/// needs bytes of a frame that did not come. Only a loss over which the reservoir grew shows in this way: at best every
/// second loss, and none if an encoder uses no reservoir.
///
/// One wrong bit in the side information of a frame looks much the same. So the frames around the place have to agree
/// with their neighbours to the byte, and an excess that one bit could cause is not believed. What can still deceive is
/// a frame whose lengths have several wrong bits and which nothing else shows to be damaged.
struct BitReservoir {
    /// The bytes that the last frame left free; nil if unknown.
    private var left: Int?
    /// Whether the main data of the last frame began exactly where that of the frame before it ended.
    private var isExact = false
    /// How many frames reached back since the last one that reached too far.
    private var consistent = 0

    /// Whether frames may be missing before this one. They are if the next frame adjoins this one, which proves the
    /// lengths in this one. Nothing is suspect until the stream has been consistent for a while: some streams are put
    /// together from pieces of others.
    func isSuspect(_ frame: MainData?) -> Bool {
        guard consistent >= Self.enough, isExact, let excess = excess(of: frame) else { return false }
        // `main_data_begin` counts bytes, a `part2_3_length` bits: one wrong bit in the previous frame is a power of
        // two.
        return excess > 0 && excess.nonzeroBitCount > 1
    }

    /// Takes the next frame; nil if nothing it says is reliable.
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

    /// By how many bytes a frame reaches further back than the last frame left room for; nil if unknown.
    private func excess(of frame: MainData?) -> Int? {
        guard let frame, let left else { return nil }
        return frame.reachesBack - left
    }

    private static let enough = 100
}
