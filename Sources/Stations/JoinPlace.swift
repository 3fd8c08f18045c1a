// SPDX-License-Identifier: MIT

package import Instants

/// Where in a programme a sink joins.
package enum JoinPlace: Sendable, Hashable {
    /// At the next frame that arrives.
    case live
    /// This far behind the live edge, or at the oldest audio kept.
    case behind(Duration)
    /// At the first kept frame that aired at this instant or later. At the next frame that arrives if no kept frame is
    /// known to have aired that late.
    case airTime(WallInstant)

    /// At the oldest audio kept.
    package static let oldest = behind(.seconds(86_400))

    /// The instant of ``airTime(_:)``.
    package var airTime: WallInstant? { if case .airTime(let instant) = self { instant } else { nil } }
}
