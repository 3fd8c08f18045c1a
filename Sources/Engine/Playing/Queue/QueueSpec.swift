// SPDX-License-Identifier: MIT

import MediaSources
import Playback
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

/// An item that a queue has played or tried to play.
package struct PlayedItem: Hashable, Sendable {
    /// The path, or the address without secrets.
    package var source: String
    package var title: String?
    /// How the item ended; nil until it has.
    package var end: ItemEnd?
    /// How much of the item was heard.
    package var heard = Duration.zero

    package init(source: String, title: String? = nil) {
        self.source = source
        self.title = title
    }
}

/// A snapshot of a queue.
package struct QueueProgress: Hashable, Sendable {
    /// The title of the item being heard, from a list or from its name.
    package var title: String?
    package var source: String?
    /// The item's position in the list, counted from 1; nil if the item is not in the list.
    package var number: Int?
    package var count = 0
    package var repeats = QueueRepeat.none
    package var isShuffled = false
    /// Whether the item has an end.
    package var isFinite = false
    /// The state of the item's connection; nil until the item is open.
    package var station: StationSnapshot?

    package init() {}
}

/// An event of a queue, for the user.
package enum QueueNotice: Hashable, Sendable {
    /// An item begins to be heard, at `from` within the item.
    case began(PlayedItem, from: Duration)
    /// An item cannot be played at all, or cannot be played to its end.
    case failed(PlayedItem, Failure)
    /// An entry of a list or folder was left out; `item` may also stand for several entries, such as "12 more".
    case skipped(item: String, reason: String)
    /// The source turned out to be a list of `count` items.
    case list(title: String?, count: Int)
    /// The list continues at the item with this number.
    case continues(at: Int)
    /// An item begins at its start, because the place at which it was left cannot be found.
    case lostPlace(PlayedItem, Duration)
    /// The wanted position cannot be found in the item.
    case cannotSeek
    /// The playback positions cannot be written, so later runs will not know them.
    case cannotRemember(Failure)
    /// The repeat mode or the shuffling was changed.
    case order(QueueRepeat, isShuffled: Bool)
}
