// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import Stations

/// One programme as a player has it: a sink of its hub with a reader of its ring, and the brake of a file that comes
/// faster than it is played. Confined to the loop's thread.
final class PlaySource {
    /// What the player's owner calls it.
    let id: Int
    let programme: any Programme
    var passage: Passage
    let reader: RingReader
    /// The player, for as long as it wants to hear of it.
    var onEvent: ((PlaySource, StreamEvent) -> Void)?
    /// Called when an archive has brought what is to be handed over.
    var onArchived: ((PlaySource) -> Void)?
    private(set) var hasAudio = false
    private(set) var hasEnded = false
    private(set) var failure: Failure?
    /// Whether the pipe was told that nothing follows this.
    var isPipeEnded = false
    /// Whether all that was handed over of it has been heard, and nothing has followed.
    var isHeardOut = false
    private let reactor: any Reactor
    private var pace = DownloadPace()
    private var isHeldBack = false
    /// Whether a file waits for this, as nobody else wants it.
    var mayHoldBack = true

    /// A file is read so far ahead of what is handed over, and again when less than ``leastAhead`` is left.
    private static let mostAhead = Duration.seconds(30)
    private static let leastAhead = Duration.seconds(20)
    private static let mostAheadOfStation = Duration.seconds(150)

    init(
        _ programme: any Programme, _ passage: Passage, id: Int, origin: Duration, follows: Bool, pipe: FramePipe,
        marks: MarkBook, reactor: any Reactor
    ) {
        self.id = id
        self.programme = programme
        self.passage = passage
        self.reactor = reactor
        reader = RingReader(programme.hub, pipe, marks, origin: origin, follows: follows)
        reader.source = self
        reader.onArchived = { [weak self] in if let self { onArchived?(self) } }
    }

    var isFinite: Bool { programme.hub.info?.kind == .finite }

    func attach(at place: JoinPlace) { programme.hub.attach(self, at: place) }

    func detach() {
        (onEvent, onArchived) = (nil, nil)
        release()
        programme.hub.detach(self)
    }

    // MARK: Where it is

    /// How far into the item a place is.
    func position(at place: Duration) -> Duration {
        max(passage.start, place - reader.heardOrigin + passage.start)
    }

    /// The place of a position in the item.
    func place(of position: Duration) -> Duration { position - passage.start + reader.heardOrigin }

    /// How far into the item the newest frame ends.
    var received: Duration { position(at: reader.edge) }

    /// What has to be at hand from a place on, so that it does not run out.
    var needed: Duration {
        guard isFinite, !hasEnded else { return .zero }
        return pace.needed(rest: rest)
    }

    /// What is still to come; nil where nobody knows.
    private var rest: Duration? {
        if let length = claimedLength { return length - received }
        // By the bytes that the server has announced, at the mean rate of those that came.
        guard isFinite, let length = programme.hub.info?.length else { return nil }
        let (bytes, media) = (programme.hub.position.bytes, reader.edge - reader.origin)
        guard bytes > 0, media >= Self.leastMeasured else { return nil }
        let share = Double(max(0, length - bytes)) / Double(bytes)
        let seconds = min(media.inSeconds * share, Self.longestRest)
        return .nanoseconds(Int64(seconds * 1e9))
    }

    /// Of the item, if only as an estimate; nil where nobody knows.
    var length: Duration? { claimedLength ?? rest.map { received + $0 } }

    /// What is known of the item, until more of it has come.
    private var claimedLength: Duration? {
        passage.length.flatMap { received <= $0 + Self.longestPadding ? $0 : nil }
    }

    private static let longestPadding = Duration.seconds(1)
    private static let leastMeasured = Duration.milliseconds(500)
    /// A year, in seconds: nothing that is finite plays longer.
    private static let longestRest = 366.0 * 86_400

    // MARK: The brake

    /// Holds a file back that is far ahead, and lets it go on in time.
    func fitPace() {
        guard mayHoldBack, !hasEnded else { return release() }
        let ahead = reader.backlog
        // A station is so far ahead only of who has paused, and is not held back then.
        let most = isFinite ? max(Self.mostAhead, needed + .seconds(10)) : Self.mostAheadOfStation
        if isHeldBack {
            if ahead < min(Self.leastAhead, most) { release() }
        } else if ahead > most {
            isHeldBack = true
            pace.heldBack()
            programme.pause(for: self)
        }
    }

    private func release() {
        guard isHeldBack else { return }
        isHeldBack = false
        programme.resume(for: self)
    }
}

extension PlaySource: StreamSink {
    /// It has a cushion.
    var tolerance: Duration? { .seconds(5) / 6 }

    func receive(_ event: StreamEvent) {
        if case .station(let info) = event, let trim = info.trim { passage.narrow(to: trim) }
        reader.receive(event)
        switch event {
        case .chunk:
            hasAudio = true
            pace.arrived(reader.edge, at: reactor.now)
        case .ended(let failure): (hasEnded, self.failure) = (true, failure)
        case .station, .format, .discontinuity, .splice, .stretch, .title, .airTime: break
        }
        onEvent?(self, event)
        fitPace()
        // What was under way comes all the same.
        if isHeldBack { pace.heldBack() }
    }
}
