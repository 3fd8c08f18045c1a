// SPDX-License-Identifier: MIT

import Instants

/// Decides how long to wait for a station's connections, by the limits of each step and by how the station has been
/// sending.
struct Patience: Sendable {
    private let limits: ConnectionMachine.Limits
    private var hedging = HedgeDelay()
    private var lumps = LumpPause()
    /// Counts first connections that were given up because they stayed silent after a lump. Steady audio resets it.
    private var silentLumps = 0
    /// Whether a finite source is paused because its sinks are full; no stall is counted meanwhile.
    var isPaused = false

    init(_ limits: ConnectionMachine.Limits) {
        self.limits = limits
    }

    var usualBurst: Duration? { hedging.burst }

    /// The time without a frame after which a hedge is due.
    var hedgeDelay: Duration {
        HedgeDelay(burst: hedging.burst, pause: lumps.pause.map { max($0, hedging.pause ?? .zero) } ?? hedging.pause)
            .duration(stall: stall)
    }

    /// The time without a frame after which a live connection is given up. A station that sends in lumps gets twice its
    /// usual pause, up to ``ConnectionMachine/Limits/longestStall``.
    var stall: Duration {
        max(limits.stall, min((lumps.pause ?? .zero).scaled(2), ConnectionMachine.Limits.longestStall))
    }
}

// MARK: - Learning

extension Patience {
    /// Adapts the hedge delay to how the station delivers; nil leaves a value as it was.
    mutating func measured(burst: Duration?, pause: Duration?) {
        hedging.burst = burst ?? hedging.burst
        hedging.pause = pause ?? hedging.pause
    }

    /// Learns the pause between lumps from new audio of a live station on the first connection.
    mutating func heard(_ first: ConnectionMachine.Connection, _ now: MonotonicInstant) {
        lumps.heard(after: first.silences, now)
    }

    /// Ends the count of silent lumps once the first connection delivers steadily. Call for each delivery.
    mutating func delivered(_ first: ConnectionMachine.Connection) {
        if first.delivered >= limits.steadyAudio { silentLumps = 0 }
    }

    /// Counts a first connection that stayed silent after a lump, because the hedge takes its place.
    mutating func left(
        _ first: ConnectionMachine.Connection, for hedge: ConnectionMachine.Connection, _ now: MonotonicInstant
    ) {
        if isBetweenLumps(first, hedge), let due = due(first), due <= now { silentLumps += 1 }
    }

    /// See ``LumpPause/interrupt()``.
    mutating func interrupt() { lumps.interrupt() }
}

// MARK: - Deadlines

extension Patience {
    /// When a connection will have been at its step for too long; nil if it may take any time.
    func due(_ connection: ConnectionMachine.Connection) -> MonotonicInstant? {
        if isPaused, connection.step >= .awaitingHead { return nil }
        if connection.step == .live { return connection.silentSince + stall }
        return connection.since + limits[connection.step]
    }

    /// When the hedge replaces the first connection. A live first connection stays while the hedge has delivered
    /// nothing either, and for a moment longer: both may resume at the same time, and then the first connection stays.
    /// If connections to the station stay silent after their lump, the hedge does not wait for the next lump.
    func due(
        _ first: ConnectionMachine.Connection, beside hedge: ConnectionMachine.Connection
    ) -> MonotonicInstant? {
        guard let due = due(first), first.step == .live else { return due(first) }
        let isHopeless = first.hasSentLump && silentLumps >= ConnectionMachine.Limits.mostSilentLumps
        return hedge.liveSince.map { max(isHopeless ? first.since : due, $0 + ConnectionMachine.Limits.tie) }
    }

    /// When a first connection gets a hedge, judged by that connection alone. Nil if it gets no hedge: a finite source
    /// that is paused, or a promoted hedge that hangs.
    func hedgeDue(_ first: ConnectionMachine.Connection) -> MonotonicInstant? {
        guard !isPaused, first.step == .live || !first.wasHedge else { return nil }
        return first.quietSince + quiet(of: first)
    }

    /// See ``ConnectionMachine/hedgeWaitsUntil(after:)``.
    func hedgeWaits(
        _ hedge: ConnectionMachine.Connection, beside first: ConnectionMachine.Connection, after now: MonotonicInstant
    ) -> MonotonicInstant? {
        let tie = hedge.silences.brokenAt.map { $0 + ConnectionMachine.Limits.tie }
        let lump = isBetweenLumps(first, hedge) ? due(first) : nil
        return [tie, lump].compactMap(\.self).filter { $0 > now }.max()
    }

    /// Whether a connection that is live, or that hangs before it is live, has been without audio for half of the time
    /// after which a hedge is due.
    func isSilent(_ first: ConnectionMachine.Connection, _ now: MonotonicInstant) -> Bool {
        now - first.quietSince >= quiet(of: first).scaled(1, over: 2)
    }

    /// How long a first connection may be without audio before it gets a hedge.
    private func quiet(of first: ConnectionMachine.Connection) -> Duration {
        first.step == .live ? hedgeDelay : limits.slowTry
    }

    /// Whether the station may send in lumps, and both connections wait for their next lump. Even then, the hedge's
    /// burst contains new audio. But promoting the hedge would hide how long the first connection's pause is, and each
    /// connection would be abandoned in favour of the next one. The hedge's frames are held, so nothing is lost if
    /// either connection resumes.
    ///
    /// False after ``ConnectionMachine/Limits/mostSilentLumps``: if no connection resumes after its lump, however long
    /// the wait, only new connections deliver audio.
    private func isBetweenLumps(
        _ first: ConnectionMachine.Connection, _ hedge: ConnectionMachine.Connection
    ) -> Bool {
        first.newAudio != nil && first.hasSentLump && hedge.hasOnlyBurst
            && silentLumps < ConnectionMachine.Limits.mostSilentLumps
    }
}
