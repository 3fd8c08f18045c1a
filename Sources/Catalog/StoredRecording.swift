// SPDX-License-Identifier: MIT

package import Instants

/// A recording on disk, or a file of a continuous one, as retention sees it.
package struct StoredRecording: Hashable, Sendable {
    package var id: Int64
    /// The ID of the recording. All files of a continuous recording have the same ID.
    package var recording: String
    /// The station's ID; nil if the recording belongs to no configured station.
    package var station: String?
    /// The show's ID; nil if the recording belongs to no show.
    package var show: String?
    /// The broadcast of the show, identified by the planned start of its recording. Several recordings may belong to
    /// the same broadcast.
    package var broadcast: WallInstant?
    /// When the recording ended; nil if unknown.
    package var ended: WallInstant?
    package var files = 1
    /// Bytes on disk.
    package var bytes: Int64
    package var isProtected = false
    /// Whether the recording has ended, so that no more is added to it.
    package var isFinished = true
}
