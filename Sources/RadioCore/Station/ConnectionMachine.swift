// SPDX-License-Identifier: MIT

package import Instants

/// The life of a station's connections, as a value: events in, one action out, no I/O, no clock, no random source.
///
/// The shell (`Stations.Station`) calls one method for each thing that happened, runs the action that comes back, and
/// calls ``tick(_:hedgeAllowed:)`` when ``deadline`` has passed. It knows connections by their ``Attempt``, whose
/// number never comes twice, and tells the machine in which ``Role`` something happened.
///
/// There may be two connections: the *first*, whose frames are the station's, and the *hedge*, beside a first one that
/// has stalled, or that hangs before it has brought audio. Diagrams of both are in docs/architecture.md, and a test
/// compares them with this.
package struct ConnectionMachine: Sendable {
    package enum State: Hashable, Sendable {
        /// → open, stopped
        case idle
        /// One connection. → open (the next try), hedged, waiting, stopped
        case open(Connection)
        /// The first connection has stalled, or hangs before it has brought audio, and a second one was opened beside
        /// it. → hedged (the hedge tries another address), open, waiting, stopped
        case hedged(Connection, hedge: Connection)
        /// No connection. → open, stopped
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
        /// Open a first connection, after closing those before it, if any.
        case connect(Attempt)
        /// Open a hedge beside the first connection. The hedge before it, if any, is over or to be closed.
        case openHedge(Attempt)
        /// Close the hedge, unless it is over: the first connection is back, or may come yet.
        case closeHedge
        /// Close the first connection, unless it is over; the hedge, which is this attempt, is the first from now on,
        /// however far it has come.
        case promote(Attempt)
        /// Close all connections and wait for ``deadline``.
        case wait
        /// Close all connections: the station is over.
        case stop(StopReason)
    }

    package internal(set) var state = State.idle
    /// The last thing that went wrong.
    package internal(set) var lastFailure: Failure?
    /// First connections that delivered audio, not counting the very first one.
    package internal(set) var reconnects = 0
    /// Hedges that were opened.
    package internal(set) var hedges = 0
    /// After how long without a frame a hedge is due. See ``measured(burst:pause:)``.
    package var hedgeDelay: Duration {
        HedgeDelay(burst: hedging.burst, pause: lumps.pause.map { max($0, hedging.pause ?? .zero) } ?? hedging.pause)
            .duration(stall: stall)
    }
    /// Whether the station may be hedged at all; not where the URL carries credentials, say.
    package var mayHedge = true

    /// The station's name in failures.
    let name: String
    let limits: Limits
    let giveUp: Duration?
    var giveUpAt: MonotonicInstant?
    var backoff: Backoff
    var mirrors: MirrorTurns
    var hedging = HedgeDelay()
    var lumps = LumpPause()
    /// Counts first connections that were given up because they stayed silent after a lump. Steady audio resets it.
    var silentLumps = 0
    var attempts = 0
    /// What the first connection is, or was.
    var kind = SourceKind.live
    var isPaused = false
    var hadAudio = false
    /// No hedge is opened before this: one was not allowed, or has failed, or was promoted.
    var hedgeAgainAt: MonotonicInstant?
    /// Whether a pause of the process was forgiven since the last progress.
    var hasForgiven = false

    /// `mirrors` URLs; without one frame within `giveUp` the machine stops (nil: never gives up). `name` is
    /// what failures call the station, normally its redacted URL.
    package init(
        mirrors: Int, name: String = "the station", giveUp: Duration?, seed: UInt64, limits: Limits = Limits()
    ) {
        self.name = name
        self.mirrors = MirrorTurns(count: mirrors)
        self.giveUp = giveUp
        self.limits = limits
        backoff = Backoff(seed: seed)
    }
}

// MARK: - What the shell may ask

extension ConnectionMachine {
    /// When ``tick(_:hedgeAllowed:)`` is due; nil where nothing is timed.
    package var deadline: MonotonicInstant? {
        guard let giveUpDeadline else { return stateDeadline }
        return stateDeadline.map { min($0, giveUpDeadline) }
    }

    /// The connection in a role, if there is one.
    package func connection(_ role: Role) -> Connection? {
        switch (state, role) {
        case (.open(let first), .first), (.hedged(let first, _), .first): first
        case (.hedged(_, let hedge), .hedge): hedge
        default: nil
        }
    }

    /// The first connection's attempt, while there is one.
    package var attempt: Attempt? { connection(.first)?.attempt }

    /// Whether the first connection delivers frames, or did until it stalled.
    package var isLive: Bool { connection(.first)?.step == .live }

    package var isHedged: Bool { connection(.hedge) != nil }

    /// Whether audio is missed while none comes: the connection is to a live station that was heard before or has
    /// mirrors.
    package var shouldDeliver: Bool {
        connection(.first).map { $0.kind == .live && (hadAudio || mirrors.count > 1) } ?? false
    }

    /// Whether such a station has sent no frame for unusually long: half of the time after which a hedge is due.
    /// Counted before hedges are allowed (``HedgeRestraint``): stations that fall silent together do not all notice at
    /// the same instant.
    package func isSilent(_ now: MonotonicInstant) -> Bool {
        guard shouldDeliver, let first = connection(.first) else { return false }
        return first.step == .live ? silence(now) >= hedgeDelay / 2 : now - first.began >= limits.slowTry / 2
    }

    /// After how long without a frame a live connection is given up. A station that sends in lumps gets twice its usual
    /// pause.
    package var stall: Duration {
        max(limits.stall, min((lumps.pause ?? .zero) * 2, Limits.longestStall))
    }

    /// How long ago the first connection's last frame came; zero where there is none yet.
    package func silence(_ now: MonotonicInstant) -> Duration {
        guard let first = connection(.first), first.step == .live else { return .zero }
        return max(.zero, now - first.since)
    }
}

// MARK: - Deadlines

extension ConnectionMachine {
    var stateDeadline: MonotonicInstant? {
        switch state {
        case .idle, .stopped: nil
        case .open(let first): [due(first), hedgeDue(first)].compactMap(\.self).min()
        case .hedged(let first, let hedge): [due(first, beside: hedge), due(hedge)].compactMap(\.self).min()
        case .waiting(let until): until
        }
    }

    /// When a connection has been at its step for too long.
    func due(_ connection: Connection) -> MonotonicInstant? {
        if isPaused, connection.step >= .awaitingHead { return nil }
        if connection.step == .live { return connection.silentSince + stall }
        return connection.since + limits[connection.step]
    }

    /// When the first connection has to make room for its hedge. A live one wins ties: it stays while the hedge has
    /// brought nothing either, and for a moment after that, as both may speak at once. Where no connection goes on
    /// after its lump, it is not waited for.
    func due(_ first: Connection, beside hedge: Connection) -> MonotonicInstant? {
        guard let due = due(first), first.step == .live else { return due(first) }
        let isHopeless = first.hasSentLump && silentLumps >= Limits.mostSilentLumps
        return hedge.liveSince.map { max(isHopeless ? first.since : due, $0 + Limits.tie) }
    }

    /// Until when the hedge has to wait before its frames may decide: it was as silent as the first connection, and now
    /// speaks, or it may become as silent. Both may speak at once, and then the first connection stays. Nil where there
    /// is nothing to wait for, or the wait is over.
    package func hedgeWaitsUntil(after now: MonotonicInstant) -> MonotonicInstant? {
        guard case .hedged(let first, let hedge) = state, first.step == .live else { return nil }
        let tie = hedge.silences.brokenAt.map { $0 + Limits.tie }
        let lump = isBetweenLumps(first, hedge) ? due(first) : nil
        return [tie, lump].compactMap(\.self).filter { $0 > now }.max()
    }

    /// Whether the station may be one that sends in lumps, and both connections wait for their next one. The burst of
    /// the hedge has news then, too, but its takeover would only hide how long the pause of the first connection is:
    /// each connection would be left for the next one. The hedge
    /// holds what it has brought, so nothing is lost if either goes on.
    ///
    /// Where no connection goes on after its lump, however long it is waited for, only new connections bring audio.
    func isBetweenLumps(_ first: Connection, _ hedge: Connection) -> Bool {
        first.hasNews && first.hasSentLump && hedge.hasOnlyBurst && silentLumps < Limits.mostSilentLumps
    }

    /// Whether there is a hedge whose frames may take the place of the first connection's, should they go on from what
    /// was heard.
    package func hedgeMayDecide(_ now: MonotonicInstant) -> Bool { isHedged && hedgeWaitsUntil(after: now) == nil }

    func hedgeDue(_ first: Connection) -> MonotonicInstant? {
        guard mayHedge, shouldDeliver, !isPaused, first.step == .live || !first.wasHedge else { return nil }
        let due = first.step == .live ? first.since + hedgeDelay : first.began + limits.slowTry
        return hedgeAgainAt.map { max($0, due) } ?? due
    }

    /// A station is not given up once it has been heard, a file is when nothing more comes of it.
    var giveUpDeadline: MonotonicInstant? {
        hadAudio && (kind == .live || isLive) ? nil : giveUpAt
    }
}
