// SPDX-License-Identifier: MIT

package import Instants

/// The state machine of a station's connections, as a value: events in, one action out, no I/O, no clock, no random
/// source.
///
/// The shell (`LiveStream`, or `WebFile`) calls one method per event, runs the action that is returned, and calls
/// ``tick(_:hedgeAllowed:)`` when ``deadline`` has passed. It identifies a connection by its ``Attempt``, whose number
/// is unique, and passes the connection's ``Role`` with each event.
///
/// There may be two connections: the *first*, whose frames are the station's, and the *hedge*, beside a first
/// connection that has stalled, or that hangs before it has delivered audio. docs/connections.md has diagrams of the
/// machine and of a connection, and a test compares them with this type.
package struct ConnectionMachine: Sendable {
    package private(set) var state = State.idle
    /// The latest failure.
    package private(set) var lastFailure: Failure?
    /// The number of first connections that delivered audio, not counting the very first one.
    package private(set) var reconnects = 0
    /// The number of hedges opened.
    package private(set) var hedges = 0
    /// Whether hedges are possible at all. If the URL carries credentials, for example, they are not.
    package var mayHedge = true

    private let limits: Limits
    private let failures: ConnectionFailures
    private var backoff: Backoff
    private var attempts = 0
    /// Whether a pause of the process was forgiven since the last progress.
    private var hasForgiven = false
    private(set) var mirrors: MirrorTurns
    private(set) var patience: Patience
    private(set) var giveUp: GiveUp
    private(set) var hadAudio = false
    private(set) var hedgePause = HedgePause()
    private(set) var returns = ReturnPause()

    /// Creates the machine of a station with `mirrors` URLs. It stops if no frame arrives within `giveUp` (nil: never).
    /// `name` is the name of the station in failures, normally its redacted URL.
    package init(
        mirrors: Int, name: String = "the station", giveUp: Duration?, seed: UInt64, limits: Limits = Limits()
    ) {
        self.limits = limits
        failures = ConnectionFailures(name: name)
        self.mirrors = MirrorTurns(count: mirrors, slowTry: limits.slowTry)
        self.giveUp = GiveUp(after: giveUp)
        patience = Patience(limits)
        backoff = Backoff(seed: seed)
    }
}

// MARK: - Events of connections

extension ConnectionMachine {
    package mutating func start(_ now: MonotonicInstant) -> Action {
        guard case .idle = state else { return .none }
        giveUp.begin(now)
        return connect(mirror: 0, now)
    }

    /// The head of a response that may carry audio has arrived.
    package mutating func accepted(_ role: Role, finalURLDiffers: Bool, _ now: MonotonicInstant) {
        update(role) { $0.accepted(leadsElsewhere: finalURLDiffers, now) }
    }

    /// One or more whole frames have arrived. While there is a hedge, audio may be missing before the first
    /// connection's frames, and only the hedge can fill that hole: call ``recovered()`` once it is known that nothing
    /// is missing.
    package mutating func frames(_ role: Role, _ now: MonotonicInstant, mayMatch: Bool = false) -> Action {
        if role == .hedge {
            update(role) { _ = $0.heard(now) }
            guard case .hedged(let first, let hedge) = state else { return .none }
            // If neither connection had delivered audio, whichever delivers a frame first becomes the first connection.
            // A better entry has to deliver for some time, because the first connection delivers as well.
            let isWorthIt = hedge.isReturn && hedge.delivered >= (mayMatch ? limits.lead : limits.slowTry)
            return first.step < .live || isWorthIt ? promote(hedge, over: first, now) : .none
        }
        guard var first = connection(.first) else { return .none }
        if first.heard(now, beside: connection(.hedge)) { countAudio(of: first) }
        patience.delivered(first)
        hasForgiven = false
        hedgePause.finish()
        update(.first) { $0 = first }
        return .none
    }

    /// The first connection delivers again, and no audio is missing that its hedge could supply.
    package mutating func recovered() -> Action {
        guard case .hedged(let first, let hedge) = state, first.step == .live, !hedge.isReturn else { return .none }
        state = .open(first)
        return .closeHedge
    }

    /// New frames of the first connection, which last `audio`, have been delivered to the sinks.
    package mutating func heard(_ audio: Duration, _ now: MonotonicInstant) {
        update(.first) { $0.deliveredNew(audio) }
        if let first = connection(.first), !isPinned { patience.heard(first, now) }
    }

    /// The hedge's frames continue the delivered audio at a known place.
    package mutating func matched(_ now: MonotonicInstant) -> Action {
        guard case .hedged(let first, let hedge) = state else { return .none }
        return promote(hedge, over: first, now)
    }

    /// The source was paused because its sinks are full, or has resumed. While it is paused, no stall is counted.
    package mutating func paused(_ isPaused: Bool, _ now: MonotonicInstant) {
        patience.isPaused = isPaused
        update(.first) { $0.renew(now) }
    }

    /// The response is a playlist. The playlist's entries replace its address in the list of mirrors, which now has
    /// `count` mirrors with these standings.
    package mutating func follow(
        _ role: Role, mirrors count: Int, standings: [MirrorStanding] = [], _ now: MonotonicInstant
    ) -> Action {
        guard let connection = connection(role), connection.step < .live else { return .none }
        let mirror = connection.attempt.mirror
        let added = count - mirrors.count
        mirrors.replace(mirror, total: count)
        mirrors.set(standings)
        let next = mirrors.allowed(from: mirror)
        guard case .hedged(var first, _) = state, role == .hedge else { return connect(mirror: next, now) }
        if first.attempt.mirror > mirror { first.attempt.mirror += added }
        first.attempt.mirror = max(0, first.attempt.mirror) % mirrors.count
        return openHedge(beside: first, mirror: next, isReturn: connection.isReturn, now)
    }

    /// A connection has ended. `failure` is nil for a proper end of the body.
    package mutating func ended(_ role: Role, _ failure: Failure?, _ now: MonotonicInstant) -> Action {
        guard let connection = connection(role) else { return .none }
        if !connection.isReturn { lastFailure = failure ?? failures.closed(at: connection.step) }
        switch state {
        case .hedged(let first, let hedge):
            guard role == .first else {
                let isRefused = hedge.step < .live && failure?.failureClass.isRefusal ?? true
                return hedgeFailed(failure, hedge, isRefused: isRefused, beside: first, now)
            }
            if first.step < .live, !first.attempt.viaLastFinalURL { mirrors.settle(first, failure, now) }
            return promote(hedge, over: first, now)
        default:
            // Only an address that has never delivered audio can be the user's mistake.
            if let failure, failure.failureClass.isFinal, !hadAudio { return stop(.gaveUp(failure)) }
            return retry(after: connection, failure, now)
        }
    }

    /// The first connection has delivered a whole file. `failure`: why that is no success.
    package mutating func finished(_ failure: Failure? = nil) -> Action {
        attempt == nil ? .none : stop(failure.map { .gaveUp($0) } ?? .finished)
    }

    /// The first connection has delivered a whole file that the list plays before the station. As long as the station
    /// has delivered nothing, it may be given up.
    package mutating func playedOpener(_ now: MonotonicInstant) -> Action {
        guard attempt != nil else { return .none }
        mirrors.pinned = nil
        mirrors.beginRound()
        hadAudio = false
        patience.isPaused = false
        giveUp.begin(now)
        return retryLater(by: .zero, now)
    }

    /// Sets what each mirror may be tried for.
    package mutating func set(_ standings: [MirrorStanding]) { mirrors.set(standings) }

    /// Tries only the first connection's mirror from now on, and without hedges, because no other can continue what was
    /// delivered. The time to give up begins anew whenever the connection breaks off.
    package mutating func pin() { mirrors.pinned = attempt?.mirror }

    /// Lets any mirror deliver the station again.
    package mutating func unpin() { mirrors.pinned = nil }
}

// MARK: - Other events

extension ConnectionMachine {
    /// ``deadline`` has passed. `hedgeAllowed`: whether this process may open another hedge now. If a hedge is due but
    /// not allowed, another tick is due a little later.
    package mutating func tick(_ now: MonotonicInstant, hedgeAllowed: Bool = true) -> Action {
        guard let deadline, now >= deadline, !forgives(now - deadline, now) else { return .none }
        if let giveUpDeadline, now >= giveUpDeadline {
            let timeout = connection(.first).map { failures.timeout(at: $0.step) }
            return stop(.gaveUp(lastFailure ?? timeout ?? failures.nothingHeard))
        }
        if case .waiting = state { return connectIfDue(now) }
        return judge(now, hedgeAllowed: hedgeAllowed)
    }

    /// Adapts the hedge delay to how much audio the station sends at once on connect, and how long it usually pauses
    /// between two deliveries; nil leaves a value as it was.
    package mutating func measured(burst: Duration?, pause: Duration?) {
        patience.measured(burst: burst, pause: pause)
    }

    /// See ``MirrorTurns/replace(_:)``. Call this only while there is no connection.
    package mutating func replaceMirrors(_ old: [Int?]) {
        mirrors.replace(old)
    }

    /// Routes or addresses of this machine have changed: mirrors that could not be reached may be reachable now.
    package mutating func networkChanged(_ now: MonotonicInstant) -> Action {
        // Mirrors may be held because a captive portal presented its own certificates.
        mirrors.releaseCertificates()
        mirrors.forgetSlowness()
        guard case .waiting = state else { return .none }
        backoff.restart(at: now)
        mirrors.endPause(now)
        return connectIfDue(now)
    }

    /// The wall clock was set: a certificate may be valid now.
    package mutating func clockStepped(_ now: MonotonicInstant) -> Action {
        mirrors.releaseCertificates()
        guard case .waiting = state else { return .none }
        return connectIfDue(now)
    }

    /// Ends the station on request.
    package mutating func requestStop() -> Action {
        if case .stopped = state { return .none }
        return stop(.requested)
    }
}

// MARK: - Transitions

extension ConnectionMachine {
    mutating func update(_ role: Role, _ change: (inout Connection) -> Void) {
        switch (state, role) {
        case (.open(var first), .first):
            change(&first)
            state = .open(first)
        case (.hedged(var first, let hedge), .first):
            change(&first)
            state = .hedged(first, hedge: hedge)
        case (.hedged(let first, var hedge), .hedge):
            change(&hedge)
            state = .hedged(first, hedge: hedge)
        default: break
        }
    }

    // MARK: Opening

    private mutating func connect(mirror: Int, viaLastFinalURL: Bool = false, _ now: MonotonicInstant) -> Action {
        let attempt = begin(mirror, viaLastFinalURL)
        state = .open(Connection(attempt, now))
        return .connect(attempt)
    }

    private mutating func openHedge(
        beside first: Connection, mirror: Int, viaLastFinalURL: Bool = false, isReturn: Bool = false,
        _ now: MonotonicInstant
    ) -> Action {
        let attempt = begin(mirror, viaLastFinalURL)
        var hedge = Connection(attempt, now)
        hedge.isReturn = isReturn
        if !isReturn { hedges += 1 }
        state = .hedged(first, hedge: hedge)
        return .openHedge(attempt)
    }

    private mutating func begin(_ mirror: Int, _ viaLastFinalURL: Bool) -> Attempt {
        attempts += 1
        mirrors.begin(mirror)
        hedgePause.finish()
        hasForgiven = false
        return Attempt(number: attempts, mirror: mirror, viaLastFinalURL: viaLastFinalURL)
    }

    // MARK: Judging

    /// Subtracts a pause of the process from the times by which connections are judged. Does so only once until the
    /// next progress, because otherwise a loop that is always late would never judge a connection.
    private mutating func forgives(_ lateness: Duration, _ now: MonotonicInstant) -> Bool {
        guard lateness > Limits.forgivable, !hasForgiven else { return false }
        hasForgiven = true
        patience.interrupt()
        let time = lateness + min(Limits.grace, hedgeDelay)
        for role in Role.allCases { update(role) { $0.forgive(time, now) } }
        giveUp.forgive(time)
        return attempt != nil
    }

    /// Acts on the connection whose time is up, or opens the hedge that is due.
    private mutating func judge(_ now: MonotonicInstant, hedgeAllowed: Bool) -> Action {
        switch state {
        case .open(let first):
            if let due = patience.due(first), due <= now { return retry(after: first, timedOut(at: first.step), now) }
            let isLive = first.step == .live
            if let better = returnDue(first), better.at <= now, hedgeDue(first).map({ $0 > now }) ?? true {
                guard hedgeAllowed else {
                    returns.failed(now)
                    return .none
                }
                returns.begin()
                return openHedge(beside: first, mirror: better.mirror, isReturn: true, now)
            }
            let mirror = mirrors.next(beside: first.attempt.mirror, isLive: isLive, now)
            // Before any audio has arrived, only another mirror gets a hedge: a slow server does not get a second
            // connection.
            guard hedgeAllowed, let mirror, hadAudio || mirror != first.attempt.mirror else {
                hedgePause.notAllowed(now)
                return .none
            }
            // The URL at the end of the redirects (with a token, or of an edge server) may still be valid, and is then
            // the quickest way back.
            let returns = isLive && mirror == first.attempt.mirror && first.leadsElsewhere
            return openHedge(beside: first, mirror: mirror, viaLastFinalURL: returns, now)
        case .hedged(let first, let hedge):
            if let due = patience.due(first, beside: hedge), due <= now {
                lastFailure = failures.timeout(at: first.step)
                return promote(hedge, over: first, now)
            }
            let failure = hedge.isReturn ? failures.timeout(at: hedge.step) : timedOut(at: hedge.step)
            return hedgeFailed(failure, hedge, isRefused: false, beside: first, now)
        case .idle, .waiting, .stopped:
            return .none
        }
    }

    private mutating func timedOut(at step: Step) -> Failure {
        let failure = failures.timeout(at: step)
        lastFailure = failure
        return failure
    }

    // MARK: Hedges

    private mutating func promote(_ hedge: Connection, over first: Connection, _ now: MonotonicInstant) -> Action {
        credit(first, now)
        mirrors.noteSlowness(of: first, now)
        patience.left(first, for: hedge, now)
        hedgePause.promoted(now, hedgeDelay: hedgeDelay)
        state = .open(hedge.promoted(now))
        if hedge.step == .live { countAudio(of: hedge) }
        return .promote(hedge.attempt)
    }

    /// Handles a failed hedge: the first connection stays until its own time is over.
    ///
    /// `isRefused`: whether the server refused the hedge. A live connection beside it may be the reason, so this
    /// address gets no hedge for a while. ``HedgePause`` decides when a hedge may be tried again.
    private mutating func hedgeFailed(
        _ failure: Failure?, _ hedge: Connection, isRefused: Bool, beside first: Connection, _ now: MonotonicInstant
    ) -> Action {
        guard !hedge.isReturn else { return returnFailed(failure, hedge, beside: first, now) }
        if hedge.attempt.viaLastFinalURL, hedge.step < .live {
            return openHedge(beside: first, mirror: hedge.attempt.mirror, now)
        }
        mirrors.noteSlowness(of: hedge, now)
        state = .open(first)
        let mirror = hedge.attempt.mirror
        guard first.step == .live else {
            mirrors.settle(hedge, failure, now)
            hedgePause.failed(beside: first, now)
            return .closeHedge
        }
        // A server's answer to a second connection does not apply to the first.
        if mirror != first.attempt.mirror { mirrors.settle(hedge, failure, now) }
        if isRefused { mirrors.refusedHedge(mirror, now) }
        if let due = patience.due(first), due <= now { return retry(after: first, timedOut(at: .live), now) }
        if isRefused { hedgePause.refused(now) } else { hedgePause.failed(beside: first, now) }
        return .closeHedge
    }

    /// Handles a better entry that is not back yet: the first connection goes on.
    private mutating func returnFailed(
        _ failure: Failure?, _ hedge: Connection, beside first: Connection, _ now: MonotonicInstant
    ) -> Action {
        returns.failed(now)
        mirrors.settle(hedge, failure, now)
        state = .open(first)
        if let due = patience.due(first), due <= now { return retry(after: first, timedOut(at: .live), now) }
        return .closeHedge
    }

    /// Forgets earlier failures if a first connection that has ended brought new audio.
    private mutating func credit(_ connection: Connection, _ now: MonotonicInstant) {
        mirrors.left(connection, now)
        guard backoff.delivered(connection.newAudio ?? .zero, in: connection.delivered, now) else { return }
        mirrors.beginRound()
        if connection.delivered >= limits.goodAudio { returns.reset() }
    }

    private mutating func countAudio(of connection: Connection) {
        mirrors.delivered(connection.attempt.mirror)
        if hadAudio { reconnects += 1 }
        hadAudio = true
    }

    // MARK: Trying again

    private mutating func retry(after connection: Connection, _ failure: Failure?, _ now: MonotonicInstant) -> Action {
        let wasLive = connection.step == .live
        let mirror = connection.attempt.mirror
        if wasLive {
            credit(connection, now)
            if connection.delivered >= limits.steadyAudio { mirrors.preferFirst() }
            if isPinned { giveUp.begin(now) }
        } else if connection.attempt.viaLastFinalURL {
            // If the URL at the end of the redirects is no longer valid, the configured URL is tried at once.
            return mirrors.isReady(mirror, now) ? connect(mirror: mirror, now) : retryLater(by: .zero, now)
        }
        mirrors.noteSlowness(of: connection, now)
        let delay = backoff.delay(at: now)
        let isHeld = mirrors.settle(connection, failure, delay: delay, now)
        if let failure, mirrors.areAllUnsupported, giveUp.time != nil, !hadAudio { return stop(.gaveUp(failure)) }
        if !isHeld, wasLive, connection.leadsElsewhere, delay == .zero {
            return connect(mirror: mirror, viaLastFinalURL: true, now)
        }
        return retryLater(by: delay, now)
    }

    /// Connects if any mirror may be tried, else waits for the mirror that is due first.
    private mutating func retryLater(by delay: Duration, _ now: MonotonicInstant) -> Action {
        mirrors.postpone(by: delay, now)
        if let mirror = mirrors.next(now) { return connect(mirror: mirror, now) }
        let until = mirrors.nextDue
        if let giveUpDeadline, until >= giveUpDeadline, until - now > .seconds(5) {
            return stop(.gaveUp(lastFailure ?? failures.nothingHeard))
        }
        state = .waiting(until: until)
        return .wait
    }

    private mutating func connectIfDue(_ now: MonotonicInstant) -> Action {
        if let mirror = mirrors.next(now) { return connect(mirror: mirror, now) }
        state = .waiting(until: mirrors.nextDue)
        return .none
    }

    private mutating func stop(_ reason: StopReason) -> Action {
        state = .stopped(reason)
        return .stop(reason)
    }
}
