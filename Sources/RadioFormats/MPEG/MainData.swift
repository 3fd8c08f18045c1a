// SPDX-License-Identifier: MIT

/// How one frame of layer III uses the bit reservoir. The frame's main data may begin in the space that earlier frames
/// left, and may leave space at the end of its own frame to later frames.
struct MainData: Hashable {
    /// How many bytes back, in the space of earlier frames, the main data begins (`main_data_begin`).
    var reachesBack: Int
    /// How many bytes lie between the end of the main data and the end of the frame; negative if the main data does not
    /// fit.
    var leaves: Int

    /// Whether the main data of the next frame begins exactly where that of this frame ends.
    func adjoins(_ next: MainData) -> Bool { leaves == next.reachesBack }
}
