// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// Decides when a programme runs: while it is claimed, and for a while after the last claim. After a failure, the
/// programme rests before it runs again. No I/O.
struct HostLife {
    enum State: Hashable {
        case idle
        /// The programme is claimed, and will begin once its rest after a failure is over.
        case resting
        case running
        /// Running without a claim.
        case lingering
        /// Asked to end, but not ended yet.
        case stopping
    }

    enum Action: Hashable {
        case none
        case begin
        case stop
    }

    private(set) var state = State.idle
    /// The end of the rest after a failure.
    private(set) var restsUntil: MonotonicInstant?
    private var lingersUntil: MonotonicInstant?
    private var isClaimed = false
    /// How long to rest after the next failure.
    private var rest = shortestRest

    private static let shortestRest = Duration.seconds(2)
    private static let longestRest = Duration.seconds(60)
    /// The rest after a failure that a person has to resolve.
    private static let restForPerson = Duration.seconds(300)

    /// When ``tick(_:)`` is due.
    var deadline: MonotonicInstant? {
        switch state {
        case .resting: restsUntil
        case .lingering: lingersUntil
        case .idle, .running, .stopping: nil
        }
    }

    /// Begins a run for a claim, or lets a lingering one go on.
    mutating func claimed(_ now: MonotonicInstant) -> Action {
        isClaimed = true
        switch state {
        case .idle: return beginWhenRested(now)
        case .lingering: state = .running
        case .resting, .running, .stopping: break
        }
        return .none
    }

    /// Lets the programme linger for `linger`, as the holder of a released claim wants, and end then. `isClaimed` says
    /// whether other claims remain.
    mutating func released(linger: Duration, isClaimed: Bool, _ now: MonotonicInstant) -> Action {
        self.isClaimed = isClaimed
        let until = max(now + linger, lingersUntil ?? now)
        lingersUntil = until
        guard !isClaimed else { return .none }
        switch state {
        case .resting: state = .idle
        case .running:
            guard until <= now else {
                state = .lingering
                return .none
            }
            state = .stopping
            return .stop
        case .idle, .lingering, .stopping: break
        }
        return .none
    }

    /// Ends the programme for all users.
    mutating func stop() -> Action {
        isClaimed = false
        switch state {
        case .running, .lingering:
            state = .stopping
            return .stop
        case .resting: state = .idle
        case .idle, .stopping: break
        }
        return .none
    }

    /// Begins a rest at the end of a run, if it failed. `wasHeard` says whether the run delivered audio. The end of a
    /// run also ends all claims, except those made while the run was stopping.
    mutating func ended(_ failure: Failure?, wasHeard: Bool, _ now: MonotonicInstant) -> Action {
        if state != .stopping { isClaimed = false }
        lingersUntil = nil
        state = .idle
        if wasHeard { rest = Self.shortestRest }
        if let failure {
            restsUntil = now + (failure.failureClass.needsPerson ? Self.restForPerson : rest)
            rest = min(rest * 2, Self.longestRest)
        }
        return isClaimed ? beginWhenRested(now) : .none
    }

    /// Must be called once the deadline has passed.
    mutating func tick(_ now: MonotonicInstant) -> Action {
        guard let deadline, deadline <= now else { return .none }
        switch state {
        case .resting: return beginWhenRested(now)
        case .lingering:
            state = .stopping
            return .stop
        case .idle, .running, .stopping: return .none
        }
    }

    private mutating func beginWhenRested(_ now: MonotonicInstant) -> Action {
        if let restsUntil, restsUntil > now {
            state = .resting
            return .none
        }
        state = .running
        return .begin
    }
}
