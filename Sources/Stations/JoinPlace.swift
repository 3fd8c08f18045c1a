// SPDX-License-Identifier: MIT

package import Instants

/// Where in a programme a sink begins to hear it.
package enum JoinPlace: Sendable, Hashable {
    /// With the next frame that comes.
    case live
    /// With audio so long before the live edge, or the oldest that is kept.
    case behind(Duration)
    /// With the first frame that was on air at this instant or later, or the oldest that is kept. Where no frame that
    /// is kept is known to be, with the next one that comes.
    case airTime(WallInstant)
}
