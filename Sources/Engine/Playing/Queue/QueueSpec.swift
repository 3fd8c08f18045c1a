// SPDX-License-Identifier: MIT

import MediaSources
import Playback
package import RadioCore
package import Stations

/// What is to be heard on this machine, one thing after the other. It is begun of a programme of its own,
/// ``ProgrammeSpec/queue``, which stays silent: each item has a programme that the queue makes.
package struct QueueSpec: Sendable {
    /// Files, folders, playlists, and addresses: in this order. Where all are addresses they are mirrors of one station,
    /// unless they turn out to be files.
    package var sources: [String]
    package var sound: PlaySpec
    /// How stations and files are fetched; its addresses are not looked at.
    package var station: StationSettings
    package var repeats = QueueRepeat.none
    /// Shuffles.
    package var shuffleSeed: UInt64?
    /// Where items are begun at their start, wherever they were left.
    package var isFromStart = false
    /// Where it is remembered how far items were heard; nil where that is not.
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

/// An item that was played, or tried.
package struct PlayedItem: Hashable, Sendable {
    /// The path, or the address without secrets.
    package var source: String
    package var title: String?
    /// Nil while it lasts.
    package var end: ItemEnd?
    /// How much of it was heard.
    package var heard = Duration.zero

    package init(source: String, title: String? = nil) {
        self.source = source
        self.title = title
    }
}

/// A queue at a glance.
package struct QueueProgress: Hashable, Sendable {
    /// The title of the item that is heard, as a list or its name says it.
    package var title: String?
    package var source: String?
    /// Its place in the list, from 1 on; nil where that is not known.
    package var number: Int?
    package var count = 0
    package var repeats = QueueRepeat.none
    package var isShuffled = false
    /// Whether it has an end.
    package var isFinite = false
    /// The connection of what is heard.
    package var station: StationSnapshot?

    package init() {}
}

/// What happens to a queue.
package enum QueueNotice: Hashable, Sendable {
    /// An item begins to be heard; `from` where that is not its start.
    case began(PlayedItem, from: Duration)
    /// It cannot be played, or no further.
    case failed(PlayedItem, Failure)
    /// Something of a list cannot be looked at.
    case skipped(item: String, reason: String)
    /// The source is a list of so many items.
    case list(title: String?, count: Int)
    /// The place that was wanted cannot be found.
    case cannotSeek
    /// What is played next, and again.
    case order(QueueRepeat, isShuffled: Bool)
}
