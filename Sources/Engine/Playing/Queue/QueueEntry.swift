// SPDX-License-Identifier: MIT

import CurlClient
import Playback
import RadioCore
import RadioFormats
import Stations

/// An item on its way: being opened, received, or heard. Confined to the loop's thread.
final class QueueEntry {
    let item: QueueItem
    /// The queue as it stands with this item.
    var queue: PlayQueue
    /// Where in the item it is to begin.
    let start: Duration
    var programme: (any Programme)?
    /// What the player calls it; nil until it is open.
    var id: Int?
    var opening: (any ItemOpener)?
    /// Of a file of the web: where its connection has ended, and what is known of it once it was looked at.
    var reached: StationSettings?
    var knowledge: FileSurvey.Knowledge?
    var survey: FileSurvey?
    /// Where it is to go on once it is known how.
    var wanted: Duration?
    /// Whether another place of the same item was wanted.
    var isSeek = false
    /// Whether it is of no use from another place on: somebody wanted that place, or what is before it was heard.
    var mustBeginThere = false
    /// For the report.
    var played: PlayedItem
    /// What the player had heard in all when this began.
    var heardBefore: Duration?
    var hasAnnounced = false
    /// Whether somebody has gone beyond its end: it is not gone back to.
    var isPassed = false
    /// Whether all of it has been received, or no more can be.
    var isReceived = false
    /// How it ended, while it is looked at whether it is a list.
    var heldFailure: Failure?
    /// What came in its stead, and may be a list.
    var unread: UnreadResponse?
    /// How it fared while its audio is still being heard.
    var failure: Failure?

    init(_ item: QueueItem, _ queue: PlayQueue, from start: Duration) {
        self.item = item
        self.queue = queue
        self.start = start
        let source =
            switch item.source {
            case .address(let address): AddressText(address).redacted
            case .path(let path): path
            }
        played = PlayedItem(source: source, title: item.title)
    }

    /// Nothing more is wanted of it.
    func close() {
        opening?.cancel()
        opening = nil
        survey?.cancel()
        survey = nil
        unread?.cancel()
        unread = nil
        programme?.onNotice = nil
        programme?.stop()
        programme = nil
    }
}

/// Makes a programme of an item. Confined to the loop's thread.
protocol ItemOpener: AnyObject {
    func cancel()
}

/// An item that is open: its programme has not been started.
struct OpenItem {
    var programme: any Programme
    var passage: Passage
    /// Of a file of the web, where it was looked at.
    var knowledge: FileSurvey.Knowledge?
}
