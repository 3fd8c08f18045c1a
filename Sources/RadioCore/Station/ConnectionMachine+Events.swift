// SPDX-License-Identifier: MIT

package import Instants

// MARK: - What connections do

extension ConnectionMachine {
    package mutating func start(_ now: MonotonicInstant) -> Action {
        guard case .idle = state else { return .none }
        giveUpAt = giveUp.map { now + $0 }
        return connect(mirror: 0, now)
    }

    /// The connection goes to another address of the same server or of another, and begins anew: a redirect.
    package mutating func redirected(_ role: Role, _ now: MonotonicInstant) {
        update(role) { $0.redirected(now) }
    }

    /// An address is known; the connection is being made.
    package mutating func resolved(_ role: Role, _ now: MonotonicInstant) {
        update(role) { $0.reach(.connecting, now) }
    }

    /// There is a connection, and the TLS handshake begins.
    package mutating func securing(_ role: Role, _ now: MonotonicInstant) {
        update(role) { $0.reach(.securing, now) }
    }

    /// The request is out.
    package mutating func connected(_ role: Role, _ now: MonotonicInstant) {
        update(role) { $0.reach(.awaitingHead, now) }
    }

    /// The response is one that may carry audio.
    package mutating func accepted(_ role: Role, _ kind: SourceKind, finalURLDiffers: Bool, _ now: MonotonicInstant) {
        update(role) { $0.accepted(kind, leadsElsewhere: finalURLDiffers, now) }
        if let first = connection(.first) { self.kind = first.kind }
    }

    /// The first byte of the body.
    package mutating func firstByte(_ role: Role, _ now: MonotonicInstant) {
        update(role) { $0.reach(.probing, now) }
    }

    /// One or more whole frames.
    package mutating func frames(_ role: Role, _ now: MonotonicInstant) -> Action {
        if role == .hedge {
            update(role) { _ = $0.heard(now) }
            guard case .hedged(let first, let hedge) = state, first.step < .live else { return .none }
            // Neither has brought audio yet: the one that brings a frame first is the station's.
            return promote(hedge, over: first, now)
        }
        guard var first = connection(.first) else { return .none }
        if first.heard(now, beside: connection(.hedge)) { countAudio(of: first) }
        if first.delivered >= limits.steadyAudio { silentLumps = 0 }
        hasForgiven = false
        hedgeAgainAt = nil
        defer { state = .open(first) }
        return isHedged ? .closeHedge : .none
    }

    /// Frames of the first connection were new, and have gone on to the sinks.
    package mutating func heard(_ now: MonotonicInstant) {
        update(.first) { $0.broughtNews() }
        guard let first = connection(.first), first.kind == .live else { return }
        lumps.heard(after: first.silences, now)
    }

    /// The hedge's frames follow what was heard: the place is known.
    package mutating func matched(_ now: MonotonicInstant) -> Action {
        guard case .hedged(let first, let hedge) = state else { return .none }
        return promote(hedge, over: first, now)
    }

    /// A finite source was paused because its sinks are full, or goes on; no stall is counted in between.
    package mutating func paused(_ isPaused: Bool, _ now: MonotonicInstant) {
        self.isPaused = isPaused
        update(.first) { $0.renew(now) }
    }

    /// The response is a playlist: its entries take the place of its address, which makes `count` mirrors.
    package mutating func follow(_ role: Role, mirrors count: Int, _ now: MonotonicInstant) -> Action {
        guard let connection = connection(role), connection.step < .live else { return .none }
        let mirror = connection.attempt.mirror
        let added = count - mirrors.count
        mirrors.replace(mirror, total: count)
        guard case .hedged(var first, _) = state, role == .hedge else {
            return connect(mirror: mirror % mirrors.count, now)
        }
        if first.attempt.mirror > mirror { first.attempt.mirror += added }
        first.attempt.mirror = max(0, first.attempt.mirror) % mirrors.count
        guard first.kind == .live else {
            // By now the first connection is known to bring a file.
            state = .open(first)
            return .closeHedge
        }
        return openHedge(beside: first, mirror: mirror % mirrors.count, now)
    }

    /// A connection is over: a failure, or nil for a proper end of the body.
    package mutating func ended(_ role: Role, _ failure: Failure?, _ now: MonotonicInstant) -> Action {
        guard let connection = connection(role) else { return .none }
        if role == .first, failure == nil, connection.kind == .finite, connection.step == .live {
            return stop(.finished)
        }
        lastFailure = failure ?? closed(at: connection.step)
        switch state {
        case .hedged(let first, let hedge):
            guard role == .first else {
                let isRefused = hedge.step < .live && failure?.failureClass.isRefusal ?? true
                return hedgeFailed(failure, hedge, isRefused: isRefused, beside: first, now)
            }
            if first.step < .live, !first.attempt.viaLastFinalURL { settle(first, failure, now) }
            return promote(hedge, over: first, now)
        default:
            // An address that was good once is not the user's mistake.
            if let failure, failure.failureClass.isFinal, !hadAudio { return stop(.gaveUp(failure)) }
            return retry(after: connection, failure, now)
        }
    }

    /// The first connection has brought a whole file.
    package mutating func finished() -> Action {
        attempt == nil ? .none : stop(.finished)
    }

    /// What was taken for a file is a live station.
    package mutating func turnsOutLive() {
        kind = .live
        mirrors.isNoFile()
        update(.first) { $0.turnOutLive() }
    }

    /// The connection repeats bytes that came before. That is progress, too, until new ones come.
    package mutating func goesOver(_ role: Role, _ now: MonotonicInstant) {
        update(role) { $0.renew(now) }
    }
}

// MARK: - What else happens

extension ConnectionMachine {
    /// ``deadline`` has passed. `hedgeAllowed` is whether there may be another hedge in this process just now; where a
    /// hedge is due and not allowed, another tick is due a little later.
    package mutating func tick(_ now: MonotonicInstant, hedgeAllowed: Bool = true) -> Action {
        guard let deadline, now >= deadline, !forgives(now - deadline, now) else { return .none }
        if let giveUpDeadline, now >= giveUpDeadline { return stop(.gaveUp(lastFailure ?? timeoutNow)) }
        if case .waiting = state { return connectIfDue(now) }
        return judge(now, hedgeAllowed: hedgeAllowed)
    }

    /// How much audio the station sends at once on connect, and how long it usually pauses between two deliveries; nil
    /// leaves the value as it was.
    package mutating func measured(burst: Duration?, pause: Duration?) {
        hedging.burst = burst ?? hedging.burst
        hedging.pause = pause ?? hedging.pause
    }

    /// The shell has a new list of mirrors, and the first of them is next. `old` holds, for each, its index in the list
    /// before, if it was there. Only for when there is no connection.
    package mutating func replaceMirrors(_ old: [Int?]) {
        mirrors.replace(old)
    }

    /// Routes or addresses of this machine have changed: mirrors that could not be reached may be there again.
    package mutating func networkChanged(_ now: MonotonicInstant) -> Action {
        // A captive portal has certificates of its own.
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

    /// Somebody wants the station to end.
    package mutating func requestStop() -> Action {
        if case .stopped = state { return .none }
        return stop(.requested)
    }
}
