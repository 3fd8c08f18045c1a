// SPDX-License-Identifier: MIT

package import Instants

/// When a recording begins and ends, on the clock that its user had in mind.
package enum RecordingSpan: Hashable, Sendable {
    /// The recording runs from one time of day to another, as for a show. If the wall clock is set, the recording
    /// follows it.
    case airTime(Range<WallInstant>)
    /// The recording lasts for a certain time. An hour stays an hour, whatever happens to the wall clock.
    case elapsed(Range<MonotonicInstant>)

    /// The span of air time, according to both clocks as they are now.
    package func window(_ clock: ClockReading) -> Range<WallInstant> {
        switch self {
        case .airTime(let window): window
        case .elapsed(let span): clock.wall(at: span)
        }
    }
}
