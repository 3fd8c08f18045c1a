// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// Where a connection's frames are in the programme. An object of its own, because it outlives its connection: only a
/// later connection may prove that the frames are no station's. Confined to the loop's thread.
final class FramePlace {
    struct Joined {
        /// The count of the first frame.
        var frame: Int64
        /// The programme time of the first frame.
        var media: Duration
        /// When the first frame arrived.
        var at: MonotonicInstant
        /// Whether nothing of a station was delivered before.
        var isStart: Bool
        /// What the programme left behind a gap; nil if the frames continue it, or have proved to be a station's.
        var before: LeftProgramme?
    }

    /// Nil until the frames have joined the programme.
    var joined: Joined?
}
