// SPDX-License-Identifier: MIT

package import RadioCore
package import RadioFormats

/// What comes out of a ``Playout``, in the order of the programme. Values only: they cross threads.
package enum PlayoutEvent: Sendable {
    /// The frames that follow have this format.
    case format(StreamFormat)
    /// The next frame is the first that the title belongs to.
    case title(String)
    /// The next frame does not follow the one before it: an item is damaged there.
    case resync
    case frames(FrameRun)
    /// An item, or the rest of it, is not played, and why.
    case skipped(item: String, reason: String)
    /// Nothing can be played now; it may be otherwise later.
    case idle
    /// The last one.
    case ended(Failure?)
}

/// Whole frames that follow each other, and their bytes.
package struct FrameRun: Sendable {
    package private(set) var bytes: [UInt8] = []
    /// The range of each is that of its bytes in ``bytes``.
    package private(set) var frames: [Frame] = []

    mutating func append(_ frame: Frame, _ body: UnsafeRawBufferPointer) {
        var copy = frame
        copy.range = bytes.count..<bytes.count + body.count
        bytes.append(contentsOf: body)
        frames.append(copy)
    }
}
