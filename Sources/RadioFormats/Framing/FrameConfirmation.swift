// SPDX-License-Identifier: MIT

/// Which frames wait for the header after them before a framer of MPEG audio or ADTS gives them out.
package enum FrameConfirmation: Hashable, Sendable {
    /// Those whose header differs from the one before. Where bytes are missing from the middle of a frame, it is given
    /// out with the beginning of a later one as its end.
    case changedHeaders
    /// All: no frame is ever put together from two. Each comes out when the first bytes of the next one are there.
    case everyFrame
}
