// SPDX-License-Identifier: MIT

package import Instants

/// What the recorder is to do next; see ``SegmentPlanner``.
///
/// The order is always `open`, then `mark`s and `append`s as the stream has them, then `close`; never two segments open
/// at once and never one without a frame. Events after the last frame are marked before the last `close`. Notices may
/// come at any place.
package enum SegmentAction: Equatable, Sendable {
    case open(SegmentPlan)
    /// Something that belongs to the first frame of the next `append`.
    case mark(SegmentMark)
    /// Frames for the open segment.
    case append(Chunk)
    /// `complete` is false for a song that was not heard from its beginning to its end: with ``SegmentPolicy/title``
    /// the first and the last one, and one that lost audio or its format on the way. True for everything else.
    case close(CutCause, complete: Bool)
    case notice(SegmentNotice)
}

/// An entry for the sidecar.
package enum SegmentMark: Hashable, Sendable {
    /// A title that differs from the one before; its position is that of the frame it was put at (`--title-offset`
    /// counted in).
    case title(StreamTitle, airTime: WallInstant)
    case discontinuity(Discontinuity)
    /// The frame follows the one before it, on another connection.
    case splice(Splice)
    /// Frames before this one are foreign or repeated. They may lie in closed segments. Gaps that were marked inside a
    /// foreign stretch are withdrawn.
    case stretch(Stretch)

    /// The frame that it belongs to.
    package var frame: Int64 {
        switch self {
        case .title(let title, _): title.position.frames
        case .discontinuity(let discontinuity): discontinuity.position.frames
        case .splice(let splice): splice.position.frames
        case .stretch(let stretch): stretch.frames.upperBound
        }
    }

    /// Whether something of the programme is missing before the frame.
    package var losesAudio: Bool {
        guard case .discontinuity(let discontinuity) = self, case .gap = discontinuity.kind else { return false }
        return true
    }
}

/// Something that the listener should hear of, once.
package enum SegmentNotice: Hashable, Sendable {
    /// Segments by title were asked for and the station names none: everything goes into one file.
    case noTitles
}

extension Chunk: Equatable {
    /// The same frames of the same slab.
    package static func == (left: Chunk, right: Chunk) -> Bool {
        left.slab === right.slab && left.frames == right.frames && left.position == right.position
    }
}
