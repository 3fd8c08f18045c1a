// SPDX-License-Identifier: MIT

package import RadioCore

/// Hears of what a ``PacedSource`` plays, in stream order, on the loop's thread. Inside any call the source may be
/// stopped.
///
/// Of the parts, each frame comes when its time has come, with what applies to it right before it. The codec stays the
/// same, but for standard input.
package protocol PacedSourceDelegate: StreamPartTaker {
    /// An item, or the rest of it, cannot be played in this stream. Said once for each item.
    func source(_ source: PacedSource, skipped item: String, because reason: String)
    /// All frames whose time has come have been told.
    func sourceCaughtUp(_ source: PacedSource)
    /// The last item is over, or a whole round of items held no frame. Not after ``PacedSource/stop()``.
    func source(_ source: PacedSource, endedWith failure: Failure?)
}
