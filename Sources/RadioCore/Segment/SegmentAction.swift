// SPDX-License-Identifier: MIT

package import Instants

/// An instruction to the recorder; see ``SegmentPlanner``.
///
/// The order is always `open`, then `entry` and `append` in stream order, then `close`. Two segments are never open at
/// once, and every segment has a frame. Events after the last frame become `entry` actions before the last `close`. A
/// `notice` may occur anywhere.
package enum SegmentAction: Equatable, Sendable {
    case open(SegmentPlan)
    /// An entry for the sidecar that belongs to the first frame of the next `append`.
    case entry(SegmentEntry)
    /// Frames for the open segment.
    case append(Chunk)
    /// `complete` is false for a song that was not recorded from beginning to end. With ``SegmentPolicy/title``, these
    /// are the first and the last segment, and any segment that lost audio, or that begins or ends with a change of
    /// format. In all other cases it is true.
    case close(CutCause, complete: Bool)
    case notice(SegmentNotice)
}

/// An entry for the sidecar.
package enum SegmentEntry: Hashable, Sendable {
    /// A title that differs from the previous one. Its position is the position of the first frame to which the title
    /// applies, `--title-offset` included.
    case title(StreamTitle, airTime: WallInstant)
    case discontinuity(Discontinuity)
    /// Audio is missing before an earlier frame, which may be in a segment that is closed already.
    case hole(Gap, before: Position)
    /// The frame continues the frame before it, but came over another connection.
    case splice(Splice)
    /// Frames before this frame are foreign or repeated; they may be in segments that are closed already. A foreign
    /// stretch withdraws the gaps that were reported inside it and at its end.
    case stretch(Stretch)

    /// The number of the frame to which the entry belongs.
    package var frame: Int64 {
        switch self {
        case .title(let title, _): title.position.frames
        case .discontinuity(let discontinuity): discontinuity.position.frames
        case .hole(_, let position): position.frames
        case .splice(let splice): splice.position.frames
        case .stretch(let stretch): stretch.frames.upperBound
        }
    }

    /// Whether audio is missing before the frame.
    package var losesAudio: Bool {
        switch self {
        case .discontinuity(let discontinuity): if case .gap = discontinuity.kind { true } else { false }
        case .hole: true
        case .title, .splice, .stretch: false
        }
    }
}

/// A message for the user, sent once.
package enum SegmentNotice: Hashable, Sendable {
    /// Segments by title were requested, but the station sends no titles: everything goes into one file.
    case noTitles
}

extension Chunk: Equatable {
    /// Whether two chunks consist of the same frames of the same slab.
    package static func == (left: Chunk, right: Chunk) -> Bool {
        left.slab === right.slab && left.frames == right.frames && left.position == right.position
    }
}
