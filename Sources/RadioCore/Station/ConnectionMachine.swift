// SPDX-License-Identifier: MIT

package import Instants

/// The life of a station's connection, as a value: events in, one action out, no I/O, no clock, no random source.
///
/// The shell (`Stations.Station`) calls one method for each thing that happened, runs the action that comes back, and
/// calls ``tick(_:)`` when ``deadline`` has passed. The diagram is in docs/architecture.md. The hedge, a second
/// connection beside a stalled one, will be a state of its own beside this one.
package struct ConnectionMachine: Sendable {
    /// One try to reach the station.
    package struct Attempt: Hashable, Sendable {
        /// Counts all tries since the start, from 1.
        package var number: Int
        /// Which of the station's URLs.
        package var mirror: Int
        /// Whether to go to where the redirects ended last time instead of the configured URL.
        package var viaLastFinalURL: Bool

        package init(number: Int, mirror: Int, viaLastFinalURL: Bool) {
            self.number = number
            self.mirror = mirror
            self.viaLastFinalURL = viaLastFinalURL
        }
    }

    package enum State: Hashable, Sendable {
        /// → resolving, stopped
        case idle
        /// → connecting, waiting, stopped
        case resolving(Attempt)
        /// → awaitingFirstByte, waiting, stopped
        case connecting(Attempt)
        /// → probing, resolving (a playlist), waiting, stopped
        case awaitingFirstByte(Attempt)
        /// Bytes come, no frame yet. → live, resolving (a playlist), waiting, stopped
        case probing(Attempt)
        /// → waiting, stopped, resolving (an immediate reconnect)
        case live(Attempt)
        /// → resolving, stopped
        case waiting(until: MonotonicInstant)
        case stopped(StopReason)
    }

    package enum StopReason: Hashable, Sendable {
        /// Somebody asked for it.
        case requested
        /// A file is over.
        case finished
        /// No audio within the time that the user allows; the failure is the last one.
        case gaveUp(Failure)
    }

    package enum Action: Hashable, Sendable {
        case none
        /// Open a connection. The one before it, if any, is to be closed first.
        case connect(Attempt)
        /// Close the connection, if any, and wait for ``deadline``.
        case wait
        /// Close the connection, if any: the station is over.
        case stop(StopReason)
    }

    /// How long each step may take.
    package struct Limits: Hashable, Sendable {
        /// For resolve, connect and TLS; curl's own deadline (10 s) normally comes first.
        package var connect = Duration.seconds(12)
        /// For the response head, and again for the first byte of the body.
        package var firstByte = Duration.seconds(15)
        /// From the first byte to the first frame.
        package var firstFrame = Duration.seconds(15)
        /// Without a frame, a live station counts as stalled.
        package var stall = Duration.seconds(10)
        /// Good audio for so long, and earlier trouble is forgotten.
        package var goodAudio = Duration.seconds(60)
        package init() {}
    }

    package private(set) var state = State.idle
    /// The last thing that went wrong.
    package private(set) var lastFailure: Failure?
    /// Connections that were opened after the first one had delivered audio.
    package private(set) var reconnects = 0
    /// What failures call the station.
    private let name: String
    private var limits: Limits
    private var backoff: Backoff
    /// For each mirror, until when it is to be left alone: its server asked for that, or only a person can help.
    private var holds: [MonotonicInstant?]
    /// Until when the others are.
    private var pause = MonotonicInstant(nanoseconds: .min)
    private let giveUp: Duration?
    private var giveUpAt: MonotonicInstant?
    private var attempts = 0
    /// Which mirror is next.
    private var turn = 0
    private var kind = SourceKind.live
    private var isPaused = false
    /// When the present state began, or was last renewed by progress.
    private var since = MonotonicInstant(nanoseconds: 0)
    private var liveSince: MonotonicInstant?
    private var hadAudio = false
    /// The redirects of the last good connection led elsewhere than the configured URL.
    private var finalURLDiffers = false
    /// Tries without any delay since the last drop: each mirror that is not held may have one.
    private var triedAtOnce = 0

    /// `mirrors` URLs; without one frame within `giveUp` the machine stops (nil: never gives up). `name` is
    /// what failures call the station, normally its redacted URL.
    package init(
        mirrors: Int, name: String = "the station", giveUp: Duration?, seed: UInt64, limits: Limits = Limits()
    ) {
        self.name = name
        holds = Array(repeating: nil, count: max(1, mirrors))
        self.giveUp = giveUp
        self.limits = limits
        backoff = Backoff(seed: seed)
    }

    /// When ``tick(_:)`` is due; nil where nothing is timed.
    package var deadline: MonotonicInstant? {
        let stateDeadline: MonotonicInstant? =
            switch state {
            case .idle, .stopped: nil
            case .resolving, .connecting: since + limits.connect
            case .awaitingFirstByte: isPaused ? nil : since + limits.firstByte
            case .probing: isPaused ? nil : since + limits.firstFrame
            case .live: isPaused ? nil : since + limits.stall
            case .waiting(let until): until
            }
        guard let giveUpDeadline else { return stateDeadline }
        return stateDeadline.map { min($0, giveUpDeadline) }
    }

    /// The attempt under way.
    package var attempt: Attempt? {
        switch state {
        case .resolving(let attempt), .connecting(let attempt), .awaitingFirstByte(let attempt), .probing(let attempt),
            .live(let attempt):
            attempt
        case .idle, .waiting, .stopped: nil
        }
    }
}

// MARK: - Events

extension ConnectionMachine {
    package mutating func start(_ now: MonotonicInstant) -> Action {
        guard case .idle = state else { return .none }
        giveUpAt = giveUp.map { now + $0 }
        return connect(mirror: 0, now)
    }

    /// An address is known; the connection is being made.
    package mutating func resolved(_ now: MonotonicInstant) {
        guard case .resolving(let attempt) = state else { return }
        state = .connecting(attempt)
    }

    /// The request is out.
    package mutating func connected(_ now: MonotonicInstant) {
        switch state {
        case .resolving(let attempt), .connecting(let attempt): enter(.awaitingFirstByte(attempt), now)
        default: break
        }
    }

    /// The response is one that may carry audio.
    package mutating func accepted(_ kind: SourceKind, finalURLDiffers: Bool, _ now: MonotonicInstant) {
        guard let attempt, !isLive else { return }
        self.kind = kind
        self.finalURLDiffers = finalURLDiffers
        enter(.awaitingFirstByte(attempt), now)
    }

    /// The first byte of the body.
    package mutating func firstByte(_ now: MonotonicInstant) {
        guard case .awaitingFirstByte(let attempt) = state else { return }
        enter(.probing(attempt), now)
    }

    /// One or more whole frames.
    package mutating func frames(_ now: MonotonicInstant) {
        switch state {
        case .probing(let attempt), .awaitingFirstByte(let attempt):
            state = .live(attempt)
            liveSince = now
            if hadAudio { reconnects += 1 }
            hadAudio = true
        case .live:
            if let liveSince, now - liveSince >= limits.goodAudio, backoff.attempts > 0 { backoff.succeeded() }
        default: return
        }
        since = now
    }

    /// A finite source was paused because its sinks are full, or goes on; no stall is counted in between.
    package mutating func paused(_ isPaused: Bool, _ now: MonotonicInstant) {
        self.isPaused = isPaused
        since = now
    }

    /// The response is a playlist: its entries stand in its place from now on, which makes `count` mirrors.
    package mutating func follow(mirrors count: Int, _ now: MonotonicInstant) -> Action {
        guard let attempt, !isLive else { return .none }
        if count >= mirrors {
            let entries = Array(repeating: MonotonicInstant?.none, count: count - mirrors + 1)
            holds.replaceSubrange(attempt.mirror...attempt.mirror, with: entries)
        } else {
            holds = Array(repeating: nil, count: max(1, count))
        }
        triedAtOnce = 0
        return connect(mirror: attempt.mirror % mirrors, now)
    }

    /// The shell has other mirrors than before; the first of them is next.
    package mutating func replaceMirrors(_ count: Int) {
        holds = Array(repeating: nil, count: max(1, count))
        turn = 0
    }

    /// The connection is over, and no other can bring what it brought.
    package mutating func abandon(_ failure: Failure) -> Action {
        guard attempt != nil else { return .none }
        lastFailure = failure
        return stop(.gaveUp(failure))
    }

    /// The connection is over: a failure, or nil for a proper end of the body.
    package mutating func ended(_ failure: Failure?, _ now: MonotonicInstant) -> Action {
        guard let attempt else { return .none }
        if failure == nil, kind == .finite, isLive { return stop(.finished) }
        lastFailure = failure ?? (isLive ? Self.closed : noAudio)
        // What was good once is not the user's mistake.
        if let failure, failure.failureClass.isFinal, !hadAudio { return stop(.gaveUp(failure)) }
        return retry(after: attempt, failure, now)
    }

    /// ``deadline`` has passed.
    package mutating func tick(_ now: MonotonicInstant) -> Action {
        guard let deadline, now >= deadline else { return .none }
        if let giveUpDeadline, now >= giveUpDeadline { return stop(.gaveUp(lastFailure ?? timeout)) }
        switch state {
        case .waiting:
            return connect(mirror: nextMirror(now), now)
        case .resolving(let attempt), .connecting(let attempt), .awaitingFirstByte(let attempt),
            .probing(let attempt), .live(let attempt):
            let failure = timeout
            lastFailure = failure
            return retry(after: attempt, failure, now)
        case .idle, .stopped:
            return .none
        }
    }

    /// Somebody wants the station to end.
    package mutating func requestStop() -> Action {
        if case .stopped = state { return .none }
        return stop(.requested)
    }
}

// MARK: - Transitions

extension ConnectionMachine {
    private var isLive: Bool {
        if case .live = state { true } else { false }
    }

    /// A station is not given up once it has been heard, a file is when nothing more comes of it.
    private var giveUpDeadline: MonotonicInstant? {
        hadAudio && (kind == .live || isLive) ? nil : giveUpAt
    }

    private var mirrors: Int { holds.count }

    /// When a mirror may be tried.
    private func due(_ mirror: Int) -> MonotonicInstant { holds[mirror] ?? pause }

    /// The mirrors, the one whose turn it is first.
    private var inTurn: some Sequence<Int> {
        (0..<mirrors).lazy.map { [turn, mirrors] in (turn + $0) % mirrors }
    }

    private func nextMirror(_ now: MonotonicInstant) -> Int {
        inTurn.first { due($0) <= now } ?? turn % mirrors
    }

    private mutating func enter(_ state: State, _ now: MonotonicInstant) {
        self.state = state
        since = now
    }

    private mutating func connect(mirror: Int, viaLastFinalURL: Bool = false, _ now: MonotonicInstant) -> Action {
        attempts += 1
        turn = mirror + 1
        holds[mirror] = nil
        let attempt = Attempt(number: attempts, mirror: mirror, viaLastFinalURL: viaLastFinalURL)
        enter(.resolving(attempt), now)
        liveSince = nil
        return .connect(attempt)
    }

    private mutating func stop(_ reason: StopReason) -> Action {
        state = .stopped(reason)
        return .stop(reason)
    }

    private mutating func retry(after attempt: Attempt, _ failure: Failure?, _ now: MonotonicInstant) -> Action {
        if isLive {
            // A token or an edge may still be good for a quick return; if not, that try costs nothing.
            if let liveSince, now - liveSince >= limits.goodAudio { backoff.succeeded() }
            if kind == .finite { giveUpAt = giveUp.map { now + $0 } }
            triedAtOnce = 0
            turn = 0
        } else if attempt.viaLastFinalURL {
            return connect(mirror: attempt.mirror, now)
        }
        if let hold = backoff.hold(after: failure, at: now) {
            holds[attempt.mirror] = now + hold
        } else {
            let delay = backoff.delay(at: now)
            if delay == .zero, isLive, finalURLDiffers {
                return connect(mirror: attempt.mirror, viaLastFinalURL: true, now)
            }
            if delay > .zero { triedAtOnce += 1 }
            let free = (0..<mirrors).count { (holds[$0] ?? now) <= now }
            pause = triedAtOnce < free ? now : now + delay
        }
        // Every mirror that may be tried is, before anything waits; then the station waits for whichever is due first.
        let until = inTurn.map(due).min() ?? now
        guard until > now else { return connect(mirror: nextMirror(now), now) }
        if let giveUpDeadline, until >= giveUpDeadline, until - now > .seconds(5) {
            return stop(.gaveUp(lastFailure ?? timeout))
        }
        state = .waiting(until: until)
        return .wait
    }

    /// What a passed deadline means in the present state.
    private var timeout: Failure {
        switch state {
        case .resolving: Failure(.timeout, "looking up the address of \(name) took too long", remedy: Self.remedy)
        case .connecting: Failure(.timeout, "connecting to \(name) took too long", remedy: Self.remedy)
        case .awaitingFirstByte:
            Failure(.noAudio, "\(name) accepted the connection but sent nothing", remedy: Self.remedy)
        case .probing: Failure(.noAudio, "\(name) sent data but no audio", remedy: Self.remedy)
        case .live: Failure(.dropped, "the station stopped sending audio", remedy: "nothing to do: Aircheck reconnects")
        case .idle, .waiting, .stopped: Failure(.noAudio, "no audio from \(name)", remedy: Self.remedy)
        }
    }

    private static let closed = Failure(
        .dropped, "the server closed the connection", remedy: "nothing to do: Aircheck reconnects")
    private var noAudio: Failure {
        Failure(.noAudio, "\(name) closed the connection before any audio came", remedy: Self.remedy)
    }

    private static let remedy = "check the address in a browser or another player; the station may be off the air"
}
