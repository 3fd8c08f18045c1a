// SPDX-License-Identifier: MIT

import EventLoop
import RadioCore
import Stations

/// A player's buffered audio: its sources in order, the place being heard, and whether enough audio is buffered.
final class Deck {
    /// Called with each event of a source.
    var onEvent: ((PlaySource, StreamEvent) -> Void)?
    /// Called after each archive read of the current source: more of its frames may be available.
    var onArchived: (() -> Void)?

    /// The source whose frames are being handed over to the pipe.
    private(set) var current: PlaySource?
    /// The source being heard; before any audio is heard, the source that will be heard first.
    private(set) var heardSource: PlaySource?
    /// The source after ``current``; its audio may be arriving already.
    private var follower: PlaySource?
    private var order = Order.single
    private var lastID = 0
    private let pipe: FramePipe
    private let book: CueBook
    private let tolerance: Duration
    private let reactor: any Reactor
    private var watermark = BufferWatermark()
    private var drift = DriftControl()
    private var heard = HeardPlace()
    /// Whether audio has arrived since the player began, or since the sources were last replaced or dropped.
    private(set) var hasStarted = false
    /// How much audio could not be played, because it was no longer kept.
    private(set) var skipped = Duration.zero

    /// Which sources there may be.
    private enum Order {
        /// Only one, outside a queue.
        case single
        /// Others may follow the current source.
        case open
        /// None follows the current source; the failure is why, if the queue failed.
        case closed(Failure?)
    }

    /// The result of ``handOver()``.
    enum Progress {
        case same
        /// The follower has become ``current``.
        case next(PlaySource)
        /// The pipe has been ended because no source follows.
        case over
    }

    /// How far behind the live edge a station is joined. It is not joined at the edge because stations deliver in
    /// bursts.
    private static let liveCushion = Duration.seconds(2)
    /// A connection that is silent for longer counts as stalled for the listener.
    private static let stall = Duration.seconds(1)

    /// `book` gets the cues of the audio that is handed over; while they are held, there is never enough audio.
    /// `tolerance` is how late audio may arrive.
    init(_ pipe: FramePipe, _ book: CueBook, tolerance: Duration, reactor: any Reactor) {
        (self.pipe, self.book, self.tolerance, self.reactor) = (pipe, book, tolerance, reactor)
    }

    // MARK: Sources

    /// Whether the source that is handed over is the one being heard.
    var isAtHeardSource: Bool { current === heardSource }

    /// Whether other sources may follow the current source.
    var isOpen: Bool { if case .open = order { true } else { false } }

    /// Why the audio ends once all of it has been handed over; nil if it ends normally.
    var failure: Failure? {
        // A queue that continued after a failed item has not failed.
        if case .closed(let failure) = order { failure } else { current?.end?.failure }
    }

    subscript(id: Int) -> PlaySource? { [current, follower, heardSource].compactMap(\.self).first { $0.id == id } }

    /// Plays `programme` as the only source.
    func tune(to programme: Programme) {
        let source = makeSource(programme, Passage(), follows: false)
        begin(source)
        source.attach(at: .behind(liveCushion))
    }

    /// Makes a source that replaces all queued audio, and that others may follow. The caller attaches it at its start.
    func replace(by programme: Programme, _ passage: Passage) -> PlaySource {
        order = .open
        cancelFollower()
        let source = makeSource(programme, passage, follows: false)
        if let current {
            pipe.restart()
            current.detach()
        }
        begin(source)
        forgetPlace()
        return source
    }

    /// Makes a source that follows the current one, instead of any earlier follower. The caller attaches it at its
    /// start.
    func follow(by programme: Programme, _ passage: Passage) -> PlaySource {
        order = .open
        cancelFollower()
        let source = makeSource(programme, passage, follows: true)
        follower = source
        return source
    }

    /// Discards the sources and all queued audio. Other sources may follow.
    func drop() {
        order = .open
        cancelFollower()
        if let current = current.take() {
            pipe.restart()
            current.detach()
        }
        forgetPlace()
    }

    /// Cancels the follower. Returns false if there is no follower, or if it has become ``current`` already.
    @discardableResult
    func cancelFollower() -> Bool {
        guard let follower = follower.take() else { return false }
        follower.detach()
        return true
    }

    /// Declares that no source follows the current source; `failure` is why, if the queue failed.
    func close(_ failure: Failure?) {
        if case .single = order { return }
        order = .closed(failure)
    }

    /// Lets other sources follow again after ``close(_:)``. Returns false if it was not closed.
    func reopen() -> Bool {
        guard case .closed = order else { return false }
        order = .open
        return true
    }

    func leaveAll() {
        for source in [current, follower] { source?.detach() }
        (current, follower) = (nil, nil)
        // The book retains sources, because a begin cue contains its source.
        book.forgetAll()
    }

    private func makeSource(_ programme: Programme, _ passage: Passage, follows: Bool) -> PlaySource {
        lastID += 1
        let reader = RingReader(
            programme.hub, pipe, book, origin: current?.reader.edge ?? .zero, follows: follows)
        // Outside a queue, a recording may share the programme, and must not wait for the listener.
        let source = PlaySource(
            programme, passage, id: lastID, reader: reader, tolerance: tolerance, mayHoldBack: isOpen, reactor: reactor)
        source.onEvent = { [weak self] source, event in self?.onEvent?(source, event) }
        reader.archived.onChunk = { [weak self, weak source] in if let self, source === current { onArchived?() } }
        reader.onSkipped = { [weak self] in self?.skipped += $0 }
        return source
    }

    private func begin(_ source: PlaySource) {
        current = source
        heardSource = heardSource ?? source
    }

    private func forgetPlace() {
        hasStarted = false
        proceedElsewhere(nil)
    }

    /// Forgets the place and all cues, because the next audio is from another place.
    private func proceedElsewhere(_ position: Duration?) {
        heard.jump(to: position)
        book.forgetAll()
        heardSource = current
        watermark.restart()
        drift.resettle()
    }

    // MARK: Handing over

    /// Fills the pipe with frames of the current source, and then of its follower.
    func handOver() -> Progress {
        guard let source = current else { return .same }
        source.reader.handOver()
        source.fitPace()
        guard source.isAtEnd else { return .same }
        if let next = follower.take() {
            next.reader.moveOrigin(to: source.reader.edge)
            // The hub of `source` is still queried about the item while the item is being heard.
            source.detach()
            current = next
            next.reader.handOver()
            return .next(next)
        }
        guard !isOpen, source.end?.tail != .pipeEnded else { return .same }
        source.end?.tail = .pipeEnded
        pipe.end()
        return .over
    }

    // MARK: Places

    /// How far behind the live edge the present station is joined.
    var liveCushion: Duration { max(Self.liveCushion, lumps?.cushion ?? .zero) }

    /// How the present station delivers, if it does so in lumps.
    private var lumps: AudioLumps? { current?.programme.hub.info?.lumps }

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
        if source.isFinite || ahead - distance >= liveCushion { return ahead - distance }
        return ahead > liveCushion * 2 ? liveCushion : nil
    }

    /// Continues `distance` behind the live edge; `position` is that place in the item, if known.
    func jump(behind distance: Duration, to position: Duration?) {
        guard let source = current else { return }
        proceedElsewhere(position)
        // This call also notes the cues of the new place.
        source.reader.jump(behind: distance)
        source.end?.tail = .waiting
        watermark.audioCame(at: reactor.now)
    }

    /// Moves the place being heard.
    func advance(to place: Duration) {
        // Until the first audio of a source is decoded, the voice reports a place in the previous source.
        heard.advance(to: max(place, heardSource?.reader.heardOrigin ?? .zero))
    }

    /// Makes a source the one being heard, at its first audible sample, which is at `place`. Returns whether another
    /// source was heard before.
    func hear(_ source: PlaySource, at place: Duration) -> Bool {
        let isAnother = heardSource !== source
        // While cues were held, the voice's reports may have passed this place already.
        if heard.place.map({ $0 < place }) ?? true {
            if isAnother, heard.place != nil { heard.advance(to: source.reader.origin) }
            // The voice's first report of a place may be about pre-roll, or come much later.
            heard.skip(to: place)
        }
        heardSource = source
        return isAnother
    }

    // MARK: Enough or not

    /// Starts the current source at its first audio. Returns false if there is none, or the source has started before.
    func noteFirstAudio() -> Bool {
        guard let current, current.hasAudio, !hasStarted else { return false }
        hasStarted = true
        watermark.audioCame(at: reactor.now)
        return true
    }

    /// Whether there is enough audio to start or resume.
    func isEnough() -> Bool {
        guard let source = current, !book.isHeld, !source.reader.isReading else { return false }
        // Before anything is heard, all received audio is ahead.
        let ahead = source.reader.ahead(of: max(heard.place ?? .zero, source.reader.heardOrigin))
        if source.isAtEnd || source.hasEnded && source.hasAudio { return source.end?.tail != .heard || !isOpen }
        guard ahead >= source.needed else { return false }
        return watermark.isEnough(ahead, at: reactor.now)
    }

    /// Decides what it means that the voice has nothing left to play. Returns whether this is an underrun. It is not an
    /// underrun if the voice waits for the next item of a queue, or for a decoder's first audio of a new place.
    func ranOut() -> Bool {
        guard heard.place != nil else { return false }
        if isOpen, let current, current.isAtEnd {
            current.end?.tail = .heard
            return false
        }
        if isOpen, let current, !current.hasAudio { return false }
        watermark.ranOut(at: reactor.now)
        drift.resettle()
        return true
    }

    /// Why there is not enough audio.
    var cause: RebufferCause {
        guard let source = current, !source.hasEnded else { return .slow }
        let snapshot = source.programme.snapshot
        switch snapshot.activity {
        case .delivering, .locating:
            if let lumps { return (snapshot.sinceAudio ?? .zero) > lumps.longestPause ? .stalled : .slow }
            return snapshot.silence > Self.stall ? .stalled : .slow
        case .silent, .hedging: return .stalled
        case .growing: return .growing
        case .lookingUp, .connecting, .awaitingAudio, .waiting, .stopped: return .reconnecting
        }
    }

    // MARK: Drift

    /// See ``DriftControl/correction``.
    var correction: Double { drift.correction }

    /// Measures the cushion anew, because its size has changed for a known reason, such as a pause.
    func resettle() { drift.resettle() }

    /// Measures the cushion where audio has been played up to a place. Returns the rate correction in parts per
    /// million, if it changes.
    func played(to place: Duration) -> Double? {
        guard let source = current else { return nil }
        watermark.played(at: reactor.now)
        guard source.isLive, heardSource === source else { return nil }
        return drift.observe(source.reader.ahead(of: place), lumps, at: reactor.now)
    }
}
