// SPDX-License-Identifier: MIT

package import Storage

/// How a recording stands, for a live line or a status page.
package struct RecorderProgress: Sendable {
    /// What was recorded, as far as the queue has taken it.
    package var seconds: Double
    package var frames: Int64
    /// Of frames, without tags.
    package var bytes: Int64
    package var files: Int
    /// The file that grows, with the name it is going to have.
    package var currentFile: String?
    package var title: String?
    /// Why nothing can be written, while that is so.
    package var storageError: StorageError?
    /// Bytes that wait for the disk.
    package var queuedBytes: Int
}
