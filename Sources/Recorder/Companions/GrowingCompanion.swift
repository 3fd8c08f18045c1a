// SPDX-License-Identifier: MIT

package import RadioCore
package import Storage

/// Makes a companion of files while these are recorded, and has ``Recorder/append(_:to:of:)`` write its bytes.
package protocol GrowingCompanion: AnyObject {
    /// Learns that frames are entered into a file, behind `samples` samples.
    func entered(_ chunk: Chunk, into file: FileID, behind samples: Int64)
    /// Learns that the last frames of a file could not be written. They will be entered into another file.
    func cut(_ file: FileID)
    /// Calls `body` once everything about the frames so far has been written, or soon. Nothing is entered after that.
    func end(_ body: @escaping () -> Void)
}
