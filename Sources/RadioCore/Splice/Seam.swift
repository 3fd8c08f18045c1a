// SPDX-License-Identifier: MIT

package import Instants

/// How a connection lies beside what was heard, where its frames do not go on from there: all that time can tell.
package struct Seam: Hashable, Sendable {
    /// From the end of what was heard to the first frame that is kept; nil where no time is known.
    package var missing: Duration?
    /// How much of the kept audio was on air before that end, so that it may come twice.
    package var overlap = Duration.zero
    /// How long before it the kept audio was heard already: the station repeats itself.
    package var repeats: Duration?
    /// Frames that were dropped because they were on air before that end, though their bytes cannot be compared.
    package var trimmedFrames: Int64 = 0
    /// When the first frame that is kept was at the edge.
    package var start: MonotonicInstant?
}
