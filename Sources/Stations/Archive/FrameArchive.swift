// SPDX-License-Identifier: MIT

package import RadioCore

/// Keeps frames of a programme for longer than the programme's ring, as the files of a recording do.
package protocol FrameArchive: AnyObject {
    /// The number of the first archived frame from `frame` on; nil if there is none.
    func firstFrame(from frame: Int64) -> Int64?
    /// Makes a reader that begins with `frame`. The archive must have this frame.
    func makeReader(from frame: Int64) -> any ArchiveReader
}

/// Reads an archive forward, a piece at a time. The loop never waits for a disk.
package protocol ArchiveReader: AnyObject {
    /// Reads the next piece, and later passes it to `done` on the loop's thread: consecutive whole frames, usually some
    /// seconds, numbered as the programme's hub numbers them. Passes nil if nothing more can be read.
    ///
    /// Call again only after `done` was called. Releasing the reader cancels the read.
    func read(_ done: @escaping (Chunk?) -> Void)
}
