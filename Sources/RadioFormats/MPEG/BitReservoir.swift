// SPDX-License-Identifier: MIT

/// Tells from the bit reservoir of layer III whether frames are missing between two that came one after the other.
///
/// The main data of a frame begins where that of the frame before ends, or later. A frame that reaches further back
/// needs bytes of a frame that did not come. Only a loss over which the reservoir grew shows in this way: every second
/// one at best, and none where an encoder uses no reservoir.
///
/// One wrong bit in the side information of a frame looks much the same. So the frames around the place have to agree
/// with their neighbours to the byte, and an excess that one bit could make is not believed. What is left is a frame
/// whose lengths have several wrong bits and which nothing else shows to be damaged.
struct BitReservoir {
    /// The bytes that the last frame left; nil where nothing is known of them.
    private var left: Int?
    /// The main data of the last frame began in the very byte where that of the frame before ended.
    private var isExact = false
    /// How many frames reached back, since the last one that reached further than it may.
    private var consistent = 0

    /// Whether frames may be missing before this one. They are if the next frame adjoins this one: then the lengths in
    /// this one are right. Nothing is suspect where the stream was not consistent for a while: some streams are put
    /// together from pieces of others.
    func isSuspect(_ frame: MainData?) -> Bool {
        guard consistent >= Self.enough, isExact, let excess = excess(of: frame) else { return false }
        // `main_data_begin` counts bytes, a `part2_3_length` bits: one wrong bit in the frame before is a power of two.
        return excess > 0 && excess.nonzeroBitCount > 1
    }

    /// Takes the next frame; nil where it says nothing that can be relied on.
    mutating func take(_ frame: MainData?) {
        let excess = excess(of: frame)
        if let excess, excess > 0 {
            consistent = 0
        } else if let frame, frame.reachesBack > 0, consistent < Self.enough {
            consistent += 1
        }
        isExact = excess == 0
        // Main data that ends beyond its frame is none.
        left = frame.flatMap { $0.leaves >= 0 ? $0.leaves : nil }
    }

    /// The next frame need not follow the last one.
    mutating func reset() {
        left = nil
    }

    /// By how many bytes a frame reaches further back than the last frame left room for; nil where that is not known.
    private func excess(of frame: MainData?) -> Int? {
        guard let frame, let left else { return nil }
        return frame.reachesBack - left
    }

    private static let enough = 100
}
