// SPDX-License-Identifier: MIT

package import Instants

/// Whether the recording of a show begins too late, or ends too early.
package enum Punctuality {
    /// A time shorter than this is not reported, because connecting to a station takes as long.
    private static let least = Duration.seconds(1)

    /// How long after the beginning of its show a recording begins; nil if it is in time. `start` is the air time of
    /// the recording's first frame.
    package static func lateness(of start: WallInstant, from beginning: WallInstant) -> Duration? {
        noted(start - beginning)
    }

    /// How long before the end of its show a recording ends; nil if it lasts to the end.
    package static func earliness(of end: WallInstant, before showEnd: WallInstant) -> Duration? {
        noted(showEnd - end)
    }

    private static func noted(_ time: Duration) -> Duration? { time >= least ? time : nil }
}
