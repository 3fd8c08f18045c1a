// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// When a programme runs: while somebody claims it, for a while after that, and not too soon after it has failed. A
/// value without I/O.
struct HostLife {
    enum State: Hashable {
        case idle
        /// Claimed, and about to begin when it has rested.
        case resting
        case running
        /// It runs, and nobody claims it any more.
        case lingering
        /// It has been asked to end.
        case stopping
    }

    enum Action: Hashable {
        case none
        case begin
        case stop
    }

    private(set) var state = State.idle
    /// Until when it is left alone after a failure.
    private(set) var restsUntil: MonotonicInstant?
    private var lingersUntil: MonotonicInstant?
    private var isClaimed = false
    /// For how long it rests when it fails the next time.
    private var rest = shortestRest

    private static let shortestRest = Duration.seconds(2)
    private static let longestRest = Duration.seconds(60)
    /// Where a person has to do something first.
    private static let restForPerson = Duration.seconds(300)

    /// When ``tick(_:)`` is due.
    var deadline: MonotonicInstant? {
        switch state {
        case .resting: restsUntil
        case .lingering: lingersUntil
        case .idle, .running, .stopping: nil
        }
    }

    /// Somebody claims it.
    mutating func claimed(_ now: MonotonicInstant) -> Action {
        isClaimed = true
        switch state {
        case .idle: return beginWhenRested(now)
        case .lingering: state = .running
        case .resting, .running, .stopping: break
        }
        return .none
    }

    /// A claim was let go of, by somebody who would have it run on for `linger`; others may be left.
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

    /// It is to end for all.
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

    /// It has ended; `wasHeard` says whether there was audio. Claims end with it, but for those that were made while it
    /// was stopping.
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

    /// The deadline has passed.
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
