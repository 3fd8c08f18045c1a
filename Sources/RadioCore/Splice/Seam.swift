// SPDX-License-Identifier: MIT

package import Instants

/// The relation in time between the audio already delivered and a connection that does not continue it.
package struct Seam: Hashable, Sendable {
    /// The time from the end of the delivered audio to the first kept frame; nil if unknown.
    package var missing: Duration?
    /// How many samples are missing according to the numbers of the stream; nil if it does not state that.
    package var stated: Int64?
    /// How much of the kept audio was on air before the end of the delivered audio, and may therefore occur twice.
    package var overlap = Duration.zero
    /// Whether frames before the first kept one were dropped by their time alone, so that any length may be missing, or
    /// occur twice.
    package var isTrimmed = false
    /// If the station repeats itself: how long ago the kept audio was already delivered.
    package var repeats: Duration?
    /// When the first kept frame was at the station's edge.
    package var start: MonotonicInstant?

    package init(start: MonotonicInstant? = nil) { self.start = start }
}
