// SPDX-License-Identifier: MIT

package import RadioCore

/// Keeps frames of a programme for longer than its ring does, as a recording does in its files. Confined to the loop's
/// thread.
package protocol FrameArchive: AnyObject {
    /// The first frame that it holds of those from this number on; nil where it holds none of them.
    func firstFrame(from frame: Int64) -> Int64?
    /// A reader that begins with a frame that it holds.
    func makeReader(from frame: Int64) -> any ArchiveReader
}

/// Reads an archive forward, a piece at a time. Confined to the loop's thread, which never waits for it: a disk may.
package protocol ArchiveReader: AnyObject {
    /// Asks for the next piece, which `done` gets on the loop, later: about a second of whole frames that follow each
    /// other in the programme, numbered as its hub numbers them. Nil where nothing more can be read.
    ///
    /// Call again only after `done` was called. Releasing the reader cancels the read.
    func read(_ done: @escaping (Chunk?) -> Void)
}
