// SPDX-License-Identifier: MIT

package import RadioCore

/// A step of the programme that a ``Playout`` makes. A value, because steps cross threads.
package enum PlayoutStep: Sendable {
    /// The next parts of the stream. A title comes right before its first frame.
    case parts(StreamParts)
    /// An item, or the rest of it, is not played, for this reason.
    case skipped(item: String, reason: String)
    /// Attachments of an item, such as a cover, are left out.
    case leftOut(bytes: Int64, of: String)
    /// Nothing can be played now, but perhaps later.
    case idle
    /// The last step; with a failure if nothing could be played.
    case ended(Failure?)
}
