// SPDX-License-Identifier: MIT

import Instants

/// For how long a station's connections are waited for: what is allowed to each step, and what was learned of how the
/// station sends. A value.
struct Patience: Sendable {
    private let limits: ConnectionMachine.Limits
    private var hedging = HedgeDelay()
    private var lumps = LumpPause()
    /// Counts first connections that were given up because they stayed silent after a lump. Steady audio resets it.
    private var silentLumps = 0
    /// A finite source was paused because its sinks are full; no stall is counted meanwhile.
    var isPaused = false

    init(_ limits: ConnectionMachine.Limits) {
        self.limits = limits
    }

    /// After how long without a frame a hedge is due.
    var hedgeDelay: Duration {
        HedgeDelay(burst: hedging.burst, pause: lumps.pause.map { max($0, hedging.pause ?? .zero) } ?? hedging.pause)
            .duration(stall: stall)
    }

    /// After how long without a frame a live connection is given up. A station that sends in lumps gets twice its usual
    /// pause.
    var stall: Duration {
        max(limits.stall, min((lumps.pause ?? .zero) * 2, ConnectionMachine.Limits.longestStall))
    }
}

// MARK: - What is learned

extension Patience {
    /// How the station delivers; nil leaves the value as it was.
    mutating func measured(burst: Duration?, pause: Duration?) {
        hedging.burst = burst ?? hedging.burst
        hedging.pause = pause ?? hedging.pause
    }

    /// New audio of a live station has come on the first connection.
    mutating func heard(_ first: ConnectionMachine.Connection, _ now: MonotonicInstant) {
        lumps.heard(after: first.silences, now)
    }

    /// The first connection has brought a frame.
    mutating func delivered(_ first: ConnectionMachine.Connection) {
        if first.delivered >= limits.steadyAudio { silentLumps = 0 }
    }

    /// The hedge takes the place of the first connection.
    mutating func left(
        _ first: ConnectionMachine.Connection, for hedge: ConnectionMachine.Connection, _ now: MonotonicInstant
    ) {
        if isBetweenLumps(first, hedge), let due = due(first), due <= now { silentLumps += 1 }
    }

    /// The process was held up: the time since the last frame says nothing.
    mutating func interrupt() { lumps.interrupt() }
}

// MARK: - What is due

extension Patience {
    /// When a connection has been at its step for too long.
    func due(_ connection: ConnectionMachine.Connection) -> MonotonicInstant? {
        if isPaused, connection.step >= .awaitingHead { return nil }
        if connection.step == .live { return connection.silentSince + stall }
        return connection.since + limits[connection.step]
    }

    /// When the first connection has to make room for its hedge. A live one wins ties: it stays while the hedge has
    /// brought nothing either, and for a moment after that, as both may speak at once. Where no connection goes on
    /// after its lump, it is not waited for.
    func due(
        _ first: ConnectionMachine.Connection, beside hedge: ConnectionMachine.Connection
    ) -> MonotonicInstant? {
        guard let due = due(first), first.step == .live else { return due(first) }
        let isHopeless = first.hasSentLump && silentLumps >= ConnectionMachine.Limits.mostSilentLumps
        return hedge.liveSince.map { max(isHopeless ? first.since : due, $0 + ConnectionMachine.Limits.tie) }
    }

    /// When a first connection gets a hedge, as far as it alone is concerned. A hedge that hangs gets none.
    func hedgeDue(_ first: ConnectionMachine.Connection) -> MonotonicInstant? {
        guard !isPaused, first.step == .live || !first.wasHedge else { return nil }
        return first.step == .live ? first.since + hedgeDelay : first.began + limits.slowTry
    }

    /// See ``ConnectionMachine/hedgeWaitsUntil(after:)``.
    func hedgeWaits(
        _ hedge: ConnectionMachine.Connection, beside first: ConnectionMachine.Connection, after now: MonotonicInstant
    ) -> MonotonicInstant? {
        let tie = hedge.silences.brokenAt.map { $0 + ConnectionMachine.Limits.tie }
        let lump = isBetweenLumps(first, hedge) ? due(first) : nil
        return [tie, lump].compactMap(\.self).filter { $0 > now }.max()
    }

    /// Whether a live connection, or one that hangs, has been silent for half of the time after which a hedge is due.
    func isSilent(_ first: ConnectionMachine.Connection, _ now: MonotonicInstant) -> Bool {
        first.step == .live ? now - first.since >= hedgeDelay / 2 : now - first.began >= limits.slowTry / 2
    }

    /// Whether the station may be one that sends in lumps, and both connections wait for their next one. The burst of
    /// the hedge has news then, too, but its takeover would only hide how long the pause of the first connection is:
    /// each connection would be left for the next one. The hedge holds what it has brought, so nothing is lost if
    /// either goes on.
    ///
    /// Where no connection goes on after its lump, however long it is waited for, only new connections bring audio.
    private func isBetweenLumps(
        _ first: ConnectionMachine.Connection, _ hedge: ConnectionMachine.Connection
    ) -> Bool {
        first.hasNews && first.hasSentLump && hedge.hasOnlyBurst
            && silentLumps < ConnectionMachine.Limits.mostSilentLumps
    }
}
