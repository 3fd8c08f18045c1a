// SPDX-License-Identifier: MIT

package import Instants

/// How a connection that does not continue the heard audio relates to it in time.
package struct Seam: Hashable, Sendable {
    /// The time from the end of the heard audio to the first kept frame; nil if no time is known.
    package var missing: Duration?
    /// How much of the kept audio was on air before the end of the heard audio, so that it may come twice.
    package var overlap = Duration.zero
    /// How long ago the kept audio was heard already, if the station repeats itself.
    package var repeats: Duration?
    /// The number of frames dropped because they were on air before the end of the heard audio, although their bytes
    /// cannot be compared.
    package var trimmedFrames: Int64 = 0
    /// When the first kept frame was at the edge.
    package var start: MonotonicInstant?
}
