// SPDX-License-Identifier: MIT

package import Instants

/// A recording that a user has requested from a running daemon, independent of any show.
package struct ManualRecording: Hashable, Sendable {
    package var number: Int
    /// The ID of the station.
    package var station: String
    package var window: Range<WallInstant>

    package init(number: Int, station: String, window: Range<WallInstant>) {
        self.number = number
        self.station = station
        self.window = window
    }

    package var key: UseKey { UseKey(station, .manual(number)) }
}
