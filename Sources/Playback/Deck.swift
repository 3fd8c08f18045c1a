// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import Stations

/// A player's buffered audio: its sources, the place being heard, and whether enough audio is buffered. Confined to the
/// loop's thread.
final class Deck {
    private let lineup: Lineup
    private let book = CueBook()
    private let reactor: any Reactor
    private var cushion = Cushion()
    private var heard = HeardPlace()
    /// Whether audio has arrived since the player began, or since the sources were last replaced or dropped.
    private(set) var hasStarted = false

    /// How far behind the live edge a station is joined. It is not joined at the edge because stations deliver in
    /// bursts.
    static let liveCushion = Duration.seconds(2)
    /// A connection that is silent for longer counts as stalled for the listener.
    private static let stall = Duration.seconds(1)

    /// `tolerance` is how late audio may arrive.
    init(_ pipe: FramePipe, tolerance: Duration, reactor: any Reactor) {
        lineup = Lineup(pipe: pipe, book: book, tolerance: tolerance, reactor: reactor)
        self.reactor = reactor
    }

    /// Called with each event of a source.
    var onEvent: ((PlaySource, StreamEvent) -> Void)? {
        get { lineup.onEvent }
        set { lineup.onEvent = newValue }
    }

    /// Called after each archive read of the current source: more of its frames may be available.
    var onArchived: (() -> Void)? {
        didSet {
            lineup.onArchived = { [weak self] source in
                if let self, source === current { onArchived?() }
            }
        }
    }

    // MARK: Sources

    /// The source whose frames are being handed to the voice.
    var current: PlaySource? { lineup.current }

    /// The source being heard, or to be heard first.
    var heardSource: PlaySource? { lineup.heard }

    /// Whether the source that is handed over is the one being heard.
    var isAtHeardSource: Bool { current === heardSource }

    /// Whether other sources may follow the current source.
    var isOpen: Bool { lineup.isOpen }

    /// Why the audio ends once all of it has been handed over; nil if it ends normally.
    var failure: Failure? { lineup.failure }

    subscript(id: Int) -> PlaySource? { lineup[id] }

    /// Plays `programme` as the only source.
    func tune(to programme: Programme) { lineup.begin(programme).attach(at: .behind(Self.liveCushion)) }

    /// Makes a source that replaces all queued audio. The caller attaches it with ``attach(_:)``.
    func replace(by programme: Programme, _ passage: Passage) -> PlaySource {
        let source = lineup.replace(by: programme, passage)
        cushion.restart()
        forgetPlace()
        return source
    }

    /// Makes a source that follows the current one. The caller attaches it with ``attach(_:)``.
    func follow(by programme: Programme, _ passage: Passage) -> PlaySource {
        lineup.follow(by: programme, passage)
    }

    /// Attaches a source at its start. Audio may arrive during this call.
    func attach(_ source: PlaySource) { source.attach(at: .oldest) }

    func drop() {
        lineup.drop()
        forgetPlace()
    }

    func cancelFollower() -> Bool { lineup.cancelFollower() }

    func close(_ failure: Failure?) { lineup.close(failure) }

    func reopen() -> Bool { lineup.reopen() }

    func leaveAll() {
        lineup.leaveAll()
        // The book retains sources, because a begin cue contains its source.
        book.forgetAll()
    }

    private func forgetPlace() {
        hasStarted = false
        proceedElsewhere(nil)
    }

    /// Forgets the place and all cues, because the next audio is from another place.
    private func proceedElsewhere(_ position: Duration?) {
        heard.jump(to: position)
        book.forgetAll()
        lineup.hearCurrent()
    }

    // MARK: Places

    /// See ``Lineup/skipped``.
    var skipped: Duration { lineup.skipped }

    /// How much audio has been heard.
    var heardTotal: Duration { heard.total }

    /// How much audio has been received beyond the place being heard; nil after a jump until audio is heard.
    var ahead: Duration? {
        heard.place.flatMap { place in current.map { $0.reader.ahead(of: place) } }
    }

    /// The position in the item being heard.
    var position: Duration? {
        guard let source = heardSource else { return nil }
        return heard.place.map { source.position(at: $0) } ?? heard.sought ?? source.passage.start
    }

    /// How far behind the live edge a position in the item being heard is; nil if it is not in the ring.
    func distance(to position: Duration) -> Duration? {
        guard let source = current, source === heardSource, source.isFinite else { return nil }
        let place = source.place(of: position)
        return source.reader.reaches(place) ? source.reader.ahead(of: place) : nil
    }

    /// The distance behind the live edge to which a seek by `distance` (negative: back) leads; nil if the seek is
    /// impossible. In a station, a seek stops short of the live edge, where playback would wait for audio.
    func distance(seekingBy distance: Duration) -> Duration? {
        guard let ahead, let source = current, isAtHeardSource else { return nil }
        if source.isFinite || ahead - distance >= Self.liveCushion { return ahead - distance }
        return ahead > Self.liveCushion * 2 ? Self.liveCushion : nil
    }

    /// Continues `distance` behind the live edge; `position` is that place in the item, if known.
    func jump(behind distance: Duration, to position: Duration?) {
        guard let source = current else { return }
        proceedElsewhere(position)
        // This call also notes the cues of the new place.
        source.reader.jump(behind: distance)
        (source.isPipeEnded, source.isHeardOut) = (false, false)
        cushion.jump(at: reactor.now)
    }

    /// Notes that audio is heard up to a place.
    func advance(to place: Duration) {
        // Until the first audio of a source is decoded, the voice reports a place in the previous source.
        heard.advance(to: max(place, heardSource?.reader.heardOrigin ?? .zero))
    }

    /// Notes that playback has reached the first audible sample of a source, at `place`. Returns whether another source
    /// was heard before.
    func hear(_ source: PlaySource, at place: Duration) -> Bool {
        let isAnother = heardSource !== source
        // While cues were held, the voice's reports may have passed this place already.
        if heard.place.map({ $0 < place }) ?? true {
            if isAnother, heard.place != nil { heard.advance(to: source.reader.origin) }
            // The voice's first report of a place may be about pre-roll, or come much later.
            heard.skip(to: place)
        }
        lineup.hear(source)
        return isAnother
    }

    // MARK: Marks

    /// Whether playback is held back, and cues are kept until ``letGo()``.
    var isHeldBack: Bool { book.isHeld }

    func holdBack() { book.hold() }

    /// Ends ``holdBack()``, and returns the cues reached since.
    func letGo() -> [CueBook.Cue] { book.release() }

    /// Takes a cue that playback has reached; nil if it is forgotten, or kept until ``letGo()``.
    func reached(_ cue: Int64) -> CueBook.Cue? { book.take(cue) }

    // MARK: Enough or not

    /// Notes the current source's first audio. Returns false if there is none, or it was noted before.
    func noteFirstAudio() -> Bool {
        guard let current, current.hasAudio, !hasStarted else { return false }
        hasStarted = true
        cushion.begin(at: reactor.now)
        return true
    }

    /// Hands frames over until the voice's pipe is full.
    func handOver() -> Lineup.Progress { lineup.handOver() }

    /// Whether there is enough audio to start or resume.
    func isEnough() -> Bool {
        guard let source = current, !isHeldBack, !source.reader.isReading else { return false }
        // Before anything is heard, all received audio is ahead.
        let ahead = source.reader.ahead(of: max(heard.place ?? .zero, source.reader.heardOrigin))
        if source.reader.isAtEnd || source.hasEnded && source.hasAudio { return !source.isHeardOut || !isOpen }
        guard ahead >= source.needed else { return false }
        return cushion.isEnough(ahead, at: reactor.now)
    }

    /// Notes that the voice has nothing left to play. Returns whether this is an underrun. It is not an underrun if the
    /// voice waits for the next item of a queue, or for a decoder's first audio of a new place.
    func ranOut() -> Bool {
        guard heard.place != nil else { return false }
        if isOpen, let current, current.reader.isAtEnd {
            current.isHeardOut = true
            return false
        }
        if isOpen, let current, !current.hasAudio { return false }
        cushion.ranOut(at: reactor.now)
        return true
    }

    /// Why there is not enough audio.
    var cause: RebufferCause {
        guard let source = current, !source.hasEnded else { return .slow }
        let snapshot = source.programme.snapshot
        switch snapshot.activity {
        case .delivering, .locating: return snapshot.silence > Self.stall ? .stalled : .slow
        case .silent, .hedging: return .stalled
        case .growing: return .growing
        case .lookingUp, .connecting, .awaitingAudio, .waiting, .stopped: return .reconnecting
        }
    }

    // MARK: Drift

    /// See ``DriftControl/correction``.
    var correction: Double { cushion.correction }

    /// Notes that the size of the cushion has changed for a known reason, such as a pause.
    func resettle() { cushion.resettle() }

    /// Notes that audio has been played up to a place. Returns the rate correction in parts per million, if it changes.
    func played(to place: Duration) -> Double? {
        guard let source = current else { return nil }
        cushion.played(at: reactor.now)
        guard source.isLive, heardSource === source else { return nil }
        return cushion.observe(source.reader.ahead(of: place), at: reactor.now)
    }
}
