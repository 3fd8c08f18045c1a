// SPDX-License-Identifier: MIT

package import RadioCore
package import RadioFormats

/// Hears of what a ``PacedSource`` plays, in stream order, on the loop's thread. Inside any call the source may be
/// stopped.
package protocol PacedSourceDelegate: AnyObject {
    /// The format of the frames that follow: before the first, and where it changes. The codec stays the same, but for
    /// standard input.
    func source(_ source: PacedSource, began format: StreamFormat)
    /// One whole frame whose time has come; the bytes are valid during the call only.
    func source(_ source: PacedSource, played frame: Frame, _ bytes: UnsafeRawBufferPointer)
    /// The next frame is the first that the title belongs to: "Artist - Title".
    func source(_ source: PacedSource, title: String)
    /// The next frame does not follow the one before it: an item is damaged there.
    func sourceResynced(_ source: PacedSource)
    /// An item, or the rest of it, cannot be played in this stream. Said once for each item.
    func source(_ source: PacedSource, skipped item: String, because reason: String)
    /// All frames whose time has come have been told.
    func sourceCaughtUp(_ source: PacedSource)
    /// The last item is over, or a whole round of items held no frame. Not after ``PacedSource/stop()``.
    func source(_ source: PacedSource, endedWith failure: Failure?)
}
