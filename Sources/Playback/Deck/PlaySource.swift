// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import Stations

/// A programme in a player: a sink of its hub and a reader of its ring. It slows down a file that arrives faster than
/// it is played.
final class PlaySource {
    /// Identifies the source to the player's owner.
    let id: Int
    let programme: Programme
    var passage: Passage
    let reader: RingReader
    /// Called with each event of the hub, until ``detach()``.
    var onEvent: ((PlaySource, StreamEvent) -> Void)?
    /// How the programme ended; nil while it may continue.
    var end: Ending?
    var beginning = Beginning.unmarked
    private let reactor: any Reactor
    private var pace = DownloadPace()
    private var brake: Brake
    /// See ``StreamSink/tolerance``.
    let tolerance: Duration?

    struct Ending {
        let failure: Failure?
        var tail = Tail.waiting
    }

    /// What has become of the source's last audio.
    enum Tail {
        case waiting
        case handedOver
        /// It has been heard, and no other source has followed yet.
        case heard
        /// The pipe was ended after it.
        case pipeEnded
    }

    /// What has become of the source's first audio.
    enum Beginning {
        case unmarked
        /// It has a cue in the pipe.
        case marked
        case heard
    }

    /// The brake of a download.
    private enum Brake {
        /// Another sink needs the audio sooner.
        case none
        case released
        case applied
    }

    /// A file is held back above this backlog, and resumed below ``leastAhead``.
    private static let mostAhead = Duration.seconds(30)
    private static let leastAhead = Duration.seconds(20)
    private static let mostAheadOfStation = Duration.seconds(150)

    init(
        _ programme: Programme, _ passage: Passage, id: Int, reader: RingReader, tolerance: Duration?,
        mayHoldBack: Bool, reactor: any Reactor
    ) {
        self.id = id
        self.programme = programme
        self.passage = passage
        self.reader = reader
        self.tolerance = tolerance
        brake = mayHoldBack ? .released : .none
        self.reactor = reactor
        reader.source = self
    }

    var hasAudio: Bool { reader.hasAudio }

    var hasEnded: Bool { end != nil }

    /// Whether the programme has ended and all of it has been handed over.
    var isAtEnd: Bool { end.map { $0.tail != .waiting } ?? false }

    var isFinite: Bool { programme.hub.info?.kind == .finite }

    var isLive: Bool { programme.hub.info?.kind == .live }

    /// Audio may arrive during this call.
    func attach(at place: JoinPlace) { programme.hub.attach(self, at: place) }

    func detach() {
        (onEvent, reader.archived.onChunk) = (nil, nil)
        release()
        programme.hub.detach(self)
    }

    // MARK: Positions

    /// The position in the item of a place on the player's timeline.
    func position(at place: Duration) -> Duration {
        max(passage.start, place - reader.heardOrigin + passage.start)
    }

    /// The place on the player's timeline of a position in the item.
    func place(of position: Duration) -> Duration { position - passage.start + reader.heardOrigin }

    /// The position in the item at which the newest frame ends.
    var received: Duration { position(at: reader.edge) }

    /// How much audio must be buffered so that a slow download does not cause an underrun.
    var needed: Duration {
        guard isFinite, !hasEnded else { return .zero }
        return pace.needed(rest: rest)
    }

    /// How much of the item has not arrived yet; nil if unknown.
    private var rest: Duration? {
        if let length = claimedLength { return length - received }
        // Estimated from the announced length in bytes, at the mean bit rate so far.
        guard isFinite, let length = programme.hub.info?.length else { return nil }
        let (bytes, media) = (programme.hub.position.bytes, reader.edge - reader.origin)
        guard bytes > 0, media >= Self.leastMeasured else { return nil }
        let share = Double(max(0, length - bytes)) / Double(bytes)
        let seconds = min(media.inSeconds * share, Self.longestRest)
        return .nanoseconds(Int64(seconds * 1e9))
    }

    /// The length of the item, possibly estimated; nil if unknown.
    var length: Duration? { claimedLength ?? rest.map { received + $0 } }

    /// The stated length of the item, unless more than that has arrived.
    private var claimedLength: Duration? {
        passage.length.flatMap { received <= $0 + Self.longestPadding ? $0 : nil }
    }

    private static let longestPadding = Duration.seconds(1)
    private static let leastMeasured = Duration.milliseconds(500)
    /// A year, in seconds: no finite item plays longer.
    private static let longestRest = 366.0 * 86_400

    // MARK: The brake

    /// Holds back a file that is far ahead of playback, and resumes it in time.
    func fitPace() {
        guard brake != .none, !hasEnded else { return release() }
        let ahead = reader.backlog
        // A player gets this far behind a station only while it is paused. A station ignores the request to pause.
        let most = isFinite ? max(Self.mostAhead, needed + .seconds(10)) : Self.mostAheadOfStation
        if brake == .applied {
            if ahead < min(Self.leastAhead, most) { release() }
        } else if ahead > most {
            brake = .applied
            pace.heldBack()
            programme.pause(for: self)
        }
    }

    private func release() {
        guard brake == .applied else { return }
        brake = .released
        programme.resume(for: self)
    }
}

extension PlaySource: StreamSink {
    func receive(_ event: StreamEvent) {
        switch event {
        case .station(let info): if let trim = info.trim { passage.narrow(to: trim) }
        case .chunk(let chunk):
            reader.receive(chunk)
            pace.arrived(reader.edge, at: reactor.now)
        case .ended(let failure): end = Ending(failure: failure)
        case .format, .discontinuity, .hole, .splice, .stretch, .found, .title, .airTime: break
        }
        onEvent?(self, event)
        fitPace()
        // Audio on its way still arrives while the source is held back, and must not count towards the download rate.
        if brake == .applied { pace.heldBack() }
    }
}
