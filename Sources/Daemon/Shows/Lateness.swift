// SPDX-License-Identifier: MIT

package import Instants

/// Whether the recording of a show begins too late.
package enum Lateness {
    /// A shorter delay is not reported: to connect takes as long.
    private static let least = Duration.seconds(1)

    /// How long after the beginning of its show a recording begins; nil if it is in time. `start`: the air time of its
    /// first frame.
    package static func of(_ start: WallInstant, from beginning: WallInstant) -> Duration? {
        start - beginning >= least ? start - beginning : nil
    }
}
