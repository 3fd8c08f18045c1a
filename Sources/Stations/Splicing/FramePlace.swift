// SPDX-License-Identifier: MIT

import Instants

/// Where the frames of a connection begin in the programme. It outlives its connection: only a later connection may
/// prove that the frames are no station's.
struct FramePlace {
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

extension FramePlace: Equatable {
    /// The first frame tells a place from all others.
    static func == (one: FramePlace, other: FramePlace) -> Bool { one.frame == other.frame }
}
