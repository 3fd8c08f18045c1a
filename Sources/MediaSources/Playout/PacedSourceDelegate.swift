// SPDX-License-Identifier: MIT

package import RadioCore

/// Receives what a ``PacedSource`` plays, in stream order, on the loop's thread. It may stop the source inside any
/// call.
///
/// Each frame arrives when it is due, right after the parts that apply to it. The codec stays the same, except for
/// standard input and pipes.
package protocol PacedSourceDelegate: StreamPartTaker {
    /// An item, or the rest of it, cannot be played in this stream. Called once for each item.
    func source(_ source: PacedSource, skipped item: String, because reason: String)
    /// Attachments of an item, such as a cover, are left out. Called in each round.
    func source(_ source: PacedSource, leftOut bytes: Int64, of item: String)
    /// All due frames have been delivered.
    func sourceCaughtUp(_ source: PacedSource)
    /// The last item has ended, or a whole round of items had no frame. Not called after ``PacedSource/stop()``.
    func source(_ source: PacedSource, endedWith failure: Failure?)
}
