// SPDX-License-Identifier: MIT

import CurlClient
import Engine
import Playback
import RadioCore
import RadioFormats
import Stations

/// An item that is being opened, received, or heard.
final class QueueEntry {
    let item: QueueItem
    /// The state of the queue at this item.
    var queue: PlayQueue
    /// The position in the item at which to begin.
    private(set) var start: Duration
    var programme: Programme?
    /// The player's id of this entry; nil until the entry is open.
    var id: Int?
    var opening: (any ItemOpener)?
    /// The last answer of the item's server.
    var answer: ServerAnswer?
    /// For a web file: settings with the final address of its connection, and the result of a survey.
    var reached: StationSettings?
    var knowledge: FileSurvey.Knowledge?
    var survey: FileSurvey?
    /// Whether a survey may begin, and the part of the file that it need not request.
    var maySurvey = false
    var beginning: FileBeginning?
    /// The position to seek to once the survey has ended.
    var wanted: Duration?
    /// Whether this entry was opened to seek within the item being heard.
    var isSeek = false
    /// Whether the entry is useless unless it begins exactly at `start`: the user sought that position, or the audio
    /// before it was already heard.
    var mustBeginThere = false
    /// The entry's record in the report.
    var played: PlayedItem
    /// How much audio the player had played in total when this entry began; nil until then.
    var heardBefore: Duration?
    var hasAnnounced = false
    /// Whether the user sought past the item's end, so that its position is not remembered.
    var isPassed = false
    /// Whether nothing more will be received.
    var isReceived = false
    /// Why the connection failed. The failure is held back while the address is read as a list, or while another entry
    /// is opened in place of this one.
    var heldFailure: Failure?
    /// A response without audio, which may be a list.
    var unread: UnreadResponse?
    /// Why the entry failed. Its buffered audio may still be playing.
    var failure: Failure?
    /// After a failure: whether to try the item again, and the position at which it broke off.
    var isWorthAnotherTry = false
    var brokeOff: Duration?

    init(_ item: QueueItem, _ queue: PlayQueue, from start: Duration) {
        self.item = item
        self.queue = queue
        self.start = start
        let source =
            switch item.source {
            case .address(let address): AddressText(address).redacted
            case .path(let path): path
            }
        played = PlayedItem(source: source, title: item.title ?? item.name)
    }

    /// The item's title from the list; otherwise the title from the file's tags or from the station; nil if there is
    /// none.
    var title: String? {
        let hub = programme?.hub
        // If a file has several titles, the first one is the item's.
        let own = isFile ? hub.flatMap { $0.timeline.applicable(at: $0.timeline.start).title } : hub?.title
        return item.title ?? own.flatMap { $0.text.isEmpty ? nil : $0.text }
    }

    var isFile: Bool { programme?.hub.info?.kind == .finite }

    /// Whether the item is an address that was opened: its programme reports failures itself, and tries again.
    var isOpenAddress: Bool { if case .address = item.source { programme != nil } else { false } }

    /// Moves the start to the position at which the open item begins. Returns the position at which it was left if that
    /// could not be found.
    func begins(at position: Duration) -> Duration? {
        defer { start = position }
        return position < start && !mustBeginThere ? start : nil
    }

    /// Stops all work on this entry.
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

/// Makes a programme for an item.
protocol ItemOpener: AnyObject {
    func cancel()
}

/// An opened item, whose programme has not been started.
struct OpenItem {
    var programme: Programme
    var passage: Passage
    /// What the survey of a web file found out; nil if there was no survey.
    var knowledge: FileSurvey.Knowledge?
}
