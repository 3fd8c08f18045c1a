// SPDX-License-Identifier: MIT

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
    var stage = Stage.none
    /// For a web file: settings with the final address of its connection; nil until there was one.
    var reached: StationSettings?
    var survey = Survey.none
    private let aim: Aim
    /// The entry's record in the report.
    var played: PlayedItem
    /// How much audio the player had played in total when this entry began; nil until then.
    var heardBefore: Duration?
    var hearing = Hearing.notYet
    var supply = Supply.arriving

    /// How exactly the entry begins where it is to begin.
    enum Aim {
        /// At its start, if the position cannot be found.
        case near
        /// It is useless elsewhere, because the audio before the position was heard already.
        case exact
        /// Exactly, because the user sought this position within the item being heard.
        case seek
    }

    /// How far the item is opened.
    enum Stage {
        /// Not yet, or no more.
        case none
        case opening(any ItemOpener)
        case open(Programme, Answer)
    }

    /// The last answer of the item's server.
    enum Answer {
        case none
        case answered(ServerAnswer)
        /// It has no audio, and may be a list.
        case unread(UnreadResponse)

        fileprivate func cancel() { if case .unread(let response) = self { response.cancel() } }
    }

    /// What is known of the places in a web file.
    enum Survey {
        case none
        /// It begins once the file's beginning has arrived, which it need not request.
        case expected
        /// Once the survey has ended, this position is to be sought.
        case running(FileSurvey, seek: Duration?)
        case done(FileSurvey.Knowledge)
    }

    enum Hearing {
        case notYet
        /// It was announced that the item is heard.
        case announced
        /// The user sought past the item's end, so its position is not remembered.
        case passed
    }

    /// What is received of the item.
    enum Supply {
        case arriving
        /// Nothing more will be received. A failure of the connection is held back while the address is read as a list,
        /// or while another entry is opened in place of this one.
        case received(held: Failure?)
        /// The entry failed, at this position. Its buffered audio may still be playing.
        case failed(Failure, at: Duration?, isWorthAnotherTry: Bool)
    }

    init(_ item: QueueItem, _ queue: PlayQueue, from start: Duration, _ aim: Aim = .near) {
        self.item = item
        self.queue = queue
        self.start = start
        self.aim = aim
        let source =
            switch item.location {
            case .address(let address): AddressText(address).redacted
            case .path(let path): path
            }
        played = PlayedItem(source: source, title: item.title ?? item.name)
    }

    var programme: Programme? { if case .open(let programme, _) = stage { programme } else { nil } }

    /// The item's title from the list; otherwise the title from the file's tags or from the station; nil if there is
    /// none.
    var title: String? {
        let hub = programme?.hub
        // If a file has several titles, the first one is the item's.
        let own = isFile ? hub.flatMap { $0.timeline.applicable(at: $0.timeline.start).title } : hub?.title
        return item.title ?? own.flatMap { $0.text.isEmpty ? nil : $0.text }
    }

    /// The result of a survey; nil if there is none.
    var knowledge: FileSurvey.Knowledge? { if case .done(let knowledge) = survey { knowledge } else { nil } }

    /// The position to seek to once the survey that is running has ended. Stays nil if none is running.
    var laterSeek: Duration? {
        get { if case .running(_, let position) = survey { position } else { nil } }
        set { if case .running(let running, _) = survey { survey = .running(running, seek: newValue) } }
    }

    /// Whether this entry was opened to seek within the item being heard.
    var isSeek: Bool { aim == .seek }

    var mustBeginThere: Bool { aim != .near }

    var isAnnounced: Bool { hearing != .notYet }

    /// Why the entry failed; nil if it has not.
    var failure: Failure? { if case .failed(let failure, _, _) = supply { failure } else { nil } }

    var isFile: Bool { programme?.hub.info?.kind == .finite }

    /// Whether the item is an address that was opened: its programme reports failures itself, and tries again.
    var isOpenAddress: Bool { if case .address = item.location { programme != nil } else { false } }

    /// Moves the start to the position at which the open item begins. Returns the position at which it was left if that
    /// could not be found.
    func begins(at position: Duration) -> Duration? {
        defer { start = position }
        return position < start && !mustBeginThere ? start : nil
    }

    /// Keeps an answer of the item's server, instead of the last one.
    func keep(_ answer: Answer) {
        guard case .open(let programme, let last) = stage else { return }
        last.cancel()
        stage = .open(programme, answer)
    }

    /// Stops all work on this entry.
    func close() {
        if case .running(let running, _) = survey {
            running.cancel()
            survey = .none
        }
        switch stage {
        case .none: break
        case .opening(let opener): opener.cancel()
        case .open(let programme, let answer):
            answer.cancel()
            programme.onNotice = nil
            programme.stop()
        }
        stage = .none
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
