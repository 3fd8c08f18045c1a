// SPDX-License-Identifier: MIT

import Instants

extension ConnectionMachine {
    /// A timer that fires this late says nothing of the station: the process was stopped, or the loop held up.
    private static let forgivable = Duration.milliseconds(500)
    /// After such a pause, the bytes that wait in the sockets have this time to come in.
    private static let grace = Duration.seconds(1)
    private static let hedgeAgain = Duration.milliseconds(500)

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

    mutating func connect(mirror: Int, viaLastFinalURL: Bool = false, _ now: MonotonicInstant) -> Action {
        let attempt = begin(mirror, viaLastFinalURL)
        state = .open(Connection(attempt, kind: kind, now))
        return .connect(attempt)
    }

    mutating func openHedge(
        beside first: Connection, mirror: Int, viaLastFinalURL: Bool = false, _ now: MonotonicInstant
    ) -> Action {
        let attempt = begin(mirror, viaLastFinalURL)
        hedges += 1
        state = .hedged(first, hedge: Connection(attempt, kind: kind, now))
        return .openHedge(attempt)
    }

    private mutating func begin(_ mirror: Int, _ viaLastFinalURL: Bool) -> Attempt {
        attempts += 1
        mirrors.begin(mirror)
        hedgeAgainAt = nil
        hasForgiven = false
        return Attempt(number: attempts, mirror: mirror, viaLastFinalURL: viaLastFinalURL)
    }

    // MARK: Judging

    /// Takes a pause of the process off the times by which connections are judged. Only once until the next progress,
    /// or a loop that always comes late would never judge.
    mutating func forgives(_ lateness: Duration, _ now: MonotonicInstant) -> Bool {
        guard lateness > Self.forgivable, !hasForgiven else { return false }
        hasForgiven = true
        lumps.interrupt()
        let time = lateness + min(Self.grace, hedgeDelay)
        for role in Role.allCases { update(role) { $0.forgive(time, now) } }
        giveUpAt = giveUpAt.map { $0 + time }
        return attempt != nil
    }

    /// A connection's time is up.
    mutating func judge(_ now: MonotonicInstant, hedgeAllowed: Bool) -> Action {
        switch state {
        case .open(let first):
            if let due = due(first), due <= now {
                let failure = timeout(at: first.step)
                lastFailure = failure
                return retry(after: first, failure, now)
            }
            let isLive = first.step == .live
            let mirror = mirrors.next(beside: first.attempt.mirror, isLive: isLive, now)
            // A server that is slow to begin is not asked twice before any audio has come.
            guard hedgeAllowed, let mirror, hadAudio || mirror != first.attempt.mirror else {
                hedgeAgainAt = now + Self.hedgeAgain
                return .none
            }
            // The redirect's end (a token, an edge) may still be good for a quick return.
            let returns = isLive && mirror == first.attempt.mirror && first.leadsElsewhere
            return openHedge(beside: first, mirror: mirror, viaLastFinalURL: returns, now)
        case .hedged(let first, let hedge):
            if let due = due(first, beside: hedge), due <= now {
                lastFailure = timeout(at: first.step)
                return promote(hedge, over: first, now)
            }
            let failure = timeout(at: hedge.step)
            lastFailure = failure
            return hedgeFailed(failure, hedge, isRefused: false, beside: first, now)
        case .idle, .waiting, .stopped:
            return .none
        }
    }

    // MARK: Hedges

    mutating func promote(_ hedge: Connection, over first: Connection, _ now: MonotonicInstant) -> Action {
        credit(first)
        noteSlowness(of: first, now)
        if isBetweenLumps(first, hedge), let due = due(first), due <= now { silentLumps += 1 }
        kind = hedge.kind
        hedgeAgainAt = now + hedgeDelay
        state = .open(hedge.promoted(now))
        if hedge.step == .live { countAudio(of: hedge) }
        return .promote(hedge.attempt)
    }

    /// A hedge that fails leaves the first connection alone until that one's own time is over.
    ///
    /// `isRefused`: its server refused it. Beside a live connection that may be because of that one, so this address
    /// gets no hedge for a while, and another address gets one at once. After any other failure a hedge may be tried
    /// again when the first connection has been silent for twice as long.
    mutating func hedgeFailed(
        _ failure: Failure?, _ hedge: Connection, isRefused: Bool, beside first: Connection, _ now: MonotonicInstant
    ) -> Action {
        if hedge.attempt.viaLastFinalURL, hedge.step < .live {
            return openHedge(beside: first, mirror: hedge.attempt.mirror, now)
        }
        noteSlowness(of: hedge, now)
        state = .open(first)
        let mirror = hedge.attempt.mirror
        guard first.step == .live else {
            settle(hedge, failure, now)
            // The longer a try hangs, the less is to be hoped for.
            hedgeAgainAt = now + (now - first.began)
            return .closeHedge
        }
        // What a server says of a second connection is not meant for the first.
        if mirror != first.attempt.mirror { settle(hedge, failure, now) }
        if isRefused { mirrors.refusedHedge(mirror, now) }
        if let due = due(first), due <= now {
            let failure = timeout(at: .live)
            lastFailure = failure
            return retry(after: first, failure, now)
        }
        hedgeAgainAt = isRefused ? now : now + (now - first.since)
        return .closeHedge
    }

    /// A connection is over: notes what that says of its mirror. Returns whether the mirror is to be left alone for
    /// longer than `delay`.
    @discardableResult
    mutating func settle(
        _ connection: Connection, _ failure: Failure?, delay: Duration = .zero, _ now: MonotonicInstant
    ) -> Bool {
        let mirror = connection.attempt.mirror
        mirrors.ended(
            mirror, wasGood: connection.delivered >= limits.slowTry,
            isUnsupported: failure?.failureClass == .unsupported)
        guard let failure, let hold = Backoff.hold(after: failure), hold > delay else { return false }
        mirrors.hold(mirror, until: now + hold, because: failure.failureClass)
        return true
    }

    /// A try is over. If it hung without audio, its mirror counts as slow, unless the try went straight to the
    /// redirect's end: that one hanging is not the mirror's doing.
    private mutating func noteSlowness(of connection: Connection, _ now: MonotonicInstant) {
        guard connection.step < .live, !connection.attempt.viaLastFinalURL else { return }
        if now - connection.began >= limits.slowTry { mirrors.hung(connection.attempt.mirror, now) }
    }

    /// A live connection is over: once it has delivered for long enough, earlier trouble is forgotten.
    private mutating func credit(_ connection: Connection) {
        guard connection.delivered >= limits.steadyAudio else { return }
        mirrors.beginRound()
        backoff.recovered()
        if connection.delivered >= limits.goodAudio { backoff.succeeded() }
    }

    mutating func countAudio(of connection: Connection) {
        mirrors.delivered(connection.attempt.mirror, isFile: connection.kind == .finite)
        if hadAudio { reconnects += 1 }
        hadAudio = true
    }

    // MARK: Trying again

    mutating func retry(after connection: Connection, _ failure: Failure?, _ now: MonotonicInstant) -> Action {
        let wasLive = connection.step == .live
        let mirror = connection.attempt.mirror
        if wasLive {
            credit(connection)
            if connection.delivered >= limits.steadyAudio { mirrors.preferFirst() }
            if connection.kind == .finite { giveUpAt = giveUp.map { now + $0 } }
        } else if connection.attempt.viaLastFinalURL {
            // If the redirect's end is no longer good, that try costs nothing.
            return connect(mirror: mirror, now)
        }
        noteSlowness(of: connection, now)
        let delay = backoff.delay(at: now, delivered: connection.delivered)
        let isHeld = settle(connection, failure, delay: delay, now)
        if let failure, mirrors.areAllUnsupported, giveUp != nil, !hadAudio { return stop(.gaveUp(failure)) }
        if !isHeld, wasLive, connection.leadsElsewhere, delay == .zero {
            return connect(mirror: mirror, viaLastFinalURL: true, now)
        }
        return retryLater(by: delay, now)
    }

    /// Connects where any mirror may be tried, else waits for whichever is due first.
    private mutating func retryLater(by delay: Duration, _ now: MonotonicInstant) -> Action {
        mirrors.postpone(by: delay, now)
        if let mirror = mirrors.next(now) { return connect(mirror: mirror, now) }
        let until = mirrors.nextDue
        if let giveUpDeadline, until >= giveUpDeadline, until - now > .seconds(5) {
            return stop(.gaveUp(lastFailure ?? nothingHeard))
        }
        state = .waiting(until: until)
        return .wait
    }

    mutating func connectIfDue(_ now: MonotonicInstant) -> Action {
        if let mirror = mirrors.next(now) { return connect(mirror: mirror, now) }
        state = .waiting(until: mirrors.nextDue)
        return .none
    }

    mutating func stop(_ reason: StopReason) -> Action {
        state = .stopped(reason)
        return .stop(reason)
    }

    /// The failure where the present state ends by its deadline.
    var timeoutNow: Failure { connection(.first).map { timeout(at: $0.step) } ?? nothingHeard }
}
