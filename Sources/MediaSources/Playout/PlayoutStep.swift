// SPDX-License-Identifier: MIT

package import RadioCore

/// What comes out of a ``Playout``, in the order of the programme. Values only: they cross threads.
package enum PlayoutStep: Sendable {
    /// What is played next. A title stands right before its first frame.
    case parts(StreamParts)
    /// An item, or the rest of it, is not played, and why.
    case skipped(item: String, reason: String)
    /// Nothing can be played now; it may be otherwise later.
    case idle
    /// The last one.
    case ended(Failure?)
}
