// SPDX-License-Identifier: MIT

/// Tells from the bit reservoir of layer III whether frames are missing between two that came one after the other.
///
/// Main data follows main data: a frame's begins where that of the frame before ends, or later. One that reaches further
/// back wants bytes of a frame that did not come. Only a loss over which the reservoir grew shows so, which is every
/// second one at best, and where an encoder uses no reservoir none does.
struct BitReservoir {
    /// What the last frame left; nil where nothing is known of it.
    private var left: Int?
    /// Frames that reached back, none of them further than it may.
    private var consistent = 0

    /// Whether frames are missing before this one. That is said only of a stream that was consistent for a while: some
    /// are put together from pieces of others.
    func isBroken(before frame: MainData?) -> Bool {
        consistent >= Self.enough && !isConsistent(frame)
    }

    /// Takes the next frame; nil where it says nothing that can be relied on.
    mutating func take(_ frame: MainData?) {
        if !isConsistent(frame) {
            consistent = 0
        } else if let frame, frame.reachesBack > 0, consistent < Self.enough {
            consistent += 1
        }
        left = frame?.leaves
    }

    /// What comes next need not follow the last frame.
    mutating func reset() {
        left = nil
    }

    private func isConsistent(_ frame: MainData?) -> Bool {
        guard let frame, let left else { return true }
        return frame.reachesBack <= max(0, left)
    }

    private static let enough = 100
}
