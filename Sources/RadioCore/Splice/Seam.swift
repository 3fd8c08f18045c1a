// SPDX-License-Identifier: MIT

package import Instants

/// How a connection stands beside what was heard where its frames do not go on from there: what the time tells of it.
package struct Seam: Hashable, Sendable {
    /// From the end of what was heard to the first frame that is kept; nil where no time is known.
    package var missing: Duration?
    /// How much of what is kept was on air before that end, so that it may be there twice.
    package var overlap = Duration.zero
    /// What is kept was heard so long before: the station repeats itself.
    package var repeats: Duration?
    /// Frames that are left out because they were on air before that end, though nobody can compare them.
    package var trimmedFrames: Int64 = 0
    /// When the first frame that is kept was at the edge.
    package var start: MonotonicInstant?
}
