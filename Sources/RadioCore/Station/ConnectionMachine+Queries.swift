// SPDX-License-Identifier: MIT

package import Instants

// Queries for the shell.
extension ConnectionMachine {
    /// When ``tick(_:hedgeAllowed:)`` is due; nil if nothing is timed.
    package var deadline: MonotonicInstant? {
        guard let giveUpDeadline else { return stateDeadline }
        return stateDeadline.map { min($0, giveUpDeadline) }
    }

    /// When to look at the machine again: at its ``deadline`` or when the hedge's wait ends, whichever is earlier.
    package func wakeUp(after now: MonotonicInstant) -> MonotonicInstant? {
        .earliest(deadline, hedgeWaitsUntil(after: now))
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

    /// Whether the hedge tries a better entry of the list, beside a first connection that delivers.
    package var isReturning: Bool { connection(.hedge)?.isReturn == true }

    /// Whether the station should deliver now: it has delivered audio before or has mirrors, and may be hedged.
    package var shouldDeliver: Bool { attempt != nil && !isPinned && (hadAudio || mirrors.count > 1) }

    /// See ``pin()``.
    var isPinned: Bool { mirrors.pinned != nil }

    /// Whether a station that should deliver has sent no frame for unusually long: half of the time after which a hedge
    /// is due. Half of it is enough, because ``HedgeRestraint`` counts silent stations before a hedge is allowed, and
    /// stations that fall silent together do not all reach the full time at the same instant.
    package func isSilent(_ now: MonotonicInstant) -> Bool {
        guard shouldDeliver, let first = connection(.first) else { return false }
        return patience.isSilent(first, now)
    }

    /// How long ago the first connection's last frame arrived; zero before the first frame.
    package func silence(_ now: MonotonicInstant) -> Duration {
        guard let first = connection(.first), first.step == .live else { return .zero }
        return max(.zero, now - first.since)
    }

    /// See ``Patience/hedgeDelay`` and ``measured(burst:pause:)``.
    package var hedgeDelay: Duration { patience.hedgeDelay }

    /// See ``measured(burst:pause:)``; nil while unknown.
    package var usualBurst: Duration? { patience.usualBurst }

    /// See ``Patience/stall``.
    package var stall: Duration { patience.stall }

    /// Until when the hedge has to wait before its frames may decide; nil if there is nothing to wait for, or the wait
    /// is over.
    ///
    /// The hedge waits if it was as silent as the first connection and has just resumed, or if the station may send in
    /// lumps and the hedge may fall silent as well. In both cases the first connection may resume at the same time as
    /// the hedge, and then the first connection stays.
    package func hedgeWaitsUntil(after now: MonotonicInstant) -> MonotonicInstant? {
        guard case .hedged(let first, let hedge) = state, first.step == .live else { return nil }
        return patience.hedgeWaits(hedge, beside: first, after: now)
    }

    /// Whether there is a hedge whose frames may replace the first connection's, if they continue the delivered audio.
    package func hedgeMayDecide(_ now: MonotonicInstant) -> Bool { isHedged && hedgeWaitsUntil(after: now) == nil }
}

// MARK: - Deadlines

extension ConnectionMachine {
    private var stateDeadline: MonotonicInstant? {
        switch state {
        case .idle, .stopped: nil
        case .open(let first): .earliest(.earliest(patience.due(first), hedgeDue(first)), returnDue(first)?.at)
        case .hedged(let first, let hedge): .earliest(patience.due(first, beside: hedge), patience.due(hedge))
        case .waiting(let until): until
        }
    }

    /// Which better entry of the list is tried next beside a first connection, and when; nil if there is none.
    func returnDue(_ first: Connection) -> (mirror: Int, at: MonotonicInstant)? {
        guard mayHedge, !isPinned, let liveSince = first.liveSince,
            let better = mirrors.better(tries: returns.tries)
        else { return nil }
        return (better.mirror, max(better.due, returns.due(liveSince: liveSince)))
    }

    /// When a hedge is due beside a first connection; nil if it gets none.
    func hedgeDue(_ first: Connection) -> MonotonicInstant? {
        guard mayHedge, shouldDeliver, let due = patience.hedgeDue(first) else { return nil }
        return hedgePause.opening(due: due)
    }

    /// When the station is given up for lack of audio. Nil once it has delivered audio; for one that is pinned, only
    /// while its connection is live.
    var giveUpDeadline: MonotonicInstant? { hadAudio && (!isPinned || isLive) ? nil : giveUp.deadline }
}
