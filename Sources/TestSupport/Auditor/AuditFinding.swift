// SPDX-License-Identifier: MIT

import Instants

/// A difference between a recording and what was sent.
package struct AuditFinding: Sendable, CustomStringConvertible {
    package enum Kind: String, CaseIterable, Sendable {
        /// Frames are missing without a gap.
        case untoldLoss
        /// Frames come again, or out of order, and nothing says so.
        case untoldRepeat
        /// A gap where nothing is missing.
        case falseGap
        /// A gap is told one frame before the place where frames are missing, or one frame after it.
        case misplacedGap
        /// A gap's length is wrong by more than a frame and by more than 50 ms.
        case wrongLength
        /// A gap's date is wrong by more than a second, although no server lags.
        case misdated
        /// Frames that a connection has sent whole are missing, and no gap covers them.
        case sentAndUntold
        /// Frames that a connection has sent whole are missing, and a gap covers them.
        case sentButNotKept
        /// Frames of the programme are called foreign.
        case falseForeign
        /// Frames that are not in the programme.
        case foreign
        /// Frames come again, or out of order, and a gap or a stretch says so.
        case toldRepeat
    }

    package let kind: Kind
    /// The station's count of the frame at which it was found.
    package let position: Int
    /// The place in the programme of the first frame concerned.
    package let place: Int?
    /// When the recording's frame was heard, relative to the start.
    package let time: Duration
    package let frames: Int
    package let length: Duration
    package let detail: String

    package var description: String {
        "\(kind) at \(time.roundedSeconds) s: \(frames) frames, \(length.roundedSeconds) s, at place"
            + " \(place.map { "\($0)" } ?? "-"), frame \(position)" + (detail.isEmpty ? "" : "; \(detail)")
    }
}

extension Duration {
    /// Seconds, to the millisecond.
    var roundedSeconds: Double { (inSeconds * 1_000).rounded() / 1_000 }
}
