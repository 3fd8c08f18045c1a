// SPDX-License-Identifier: MIT

package import Instants

/// The relation in time between the audio already delivered and a connection that does not continue it.
package struct Seam: Hashable, Sendable {
    /// The time from the end of the delivered audio to the first kept frame; nil if unknown.
    package var missing: Duration?
    /// How much of the kept audio was on air before the end of the delivered audio, and may therefore occur twice.
    package var overlap = Duration.zero
    /// If the station repeats itself: how long ago the kept audio was already delivered.
    package var repeats: Duration?
    /// The number of frames of another encoder that were dropped because they were on air before the end of the
    /// delivered audio. The bytes of such frames cannot be compared with the delivered audio.
    package var trimmedFrames: Int64 = 0
    /// When the first kept frame was at the station's edge.
    package var start: MonotonicInstant?
}
