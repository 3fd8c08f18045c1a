// SPDX-License-Identifier: MIT

package import Engine
package import Playback
package import RadioCore
package import Stations

/// A queue of items to play on this machine. It is a use of the silent programme ``ProgrammeSpec/queue``; the queue
/// makes a programme of its own for each item.
package struct QueueSpec: Sendable {
    /// Files, folders, playlists and addresses, in playing order. If all are addresses, they are mirrors of one
    /// station, unless they turn out to be files.
    package var sources: [String]
    package var sound: PlaySpec
    /// Settings for fetching stations and files; the addresses in them are ignored.
    package var station: StationSettings
    package var repeats = QueueRepeat.none
    /// Shuffles the queue with this seed; nil keeps the order.
    package var shuffleSeed: UInt64?
    /// Whether items begin at their start, ignoring remembered positions.
    package var isFromStart = false
    /// The number of the item in the list with which to begin, counted from 1; nil to continue where the list was left.
    package var firstItem: Int?
    /// The folder for remembered positions; nil to remember none.
    package var stateFolder: String?

    package init(sources: [String], sound: PlaySpec, station: StationSettings) {
        self.sources = sources
        self.sound = sound
        self.station = station
    }
}

extension QueueSpec: UseSpec {
    package func makeUse(_ context: UseContext) throws(Failure) -> any Use { try QueueUse(self, context) }
    package func outcome(_ failure: Failure) -> any UseOutcome { PlayOutcome(failure: failure) }
}
