// SPDX-License-Identifier: MIT

import Instants
import Testing

@testable import RadioCore

@Suite struct HedgePauseTests {
    private static let start = MonotonicInstant(nanoseconds: 0)
    /// The time at which the hedges of these tests end.
    private let now = Self.start + .seconds(20)
    private var pause = HedgePause()

    /// A first connection whose attempt began at `start`, and whose last frame, if any, arrived at `heard`.
    private static func connection(heard: Duration? = nil) -> ConnectionMachine.Connection {
        let attempt = ConnectionMachine.Attempt(number: 1, mirror: 0, viaLastFinalURL: false)
        var connection = ConnectionMachine.Connection(attempt, start)
        if let heard { _ = connection.heard(start + heard) }
        return connection
    }

    @Test("Without a reason for a pause, a hedge is opened when it is due") func noPause() {
        #expect(pause.opening(due: now) == now)
    }

    @Test("A hedge that is not allowed is considered again after half a second") mutating func notAllowed() {
        pause.notAllowed(now)
        #expect(pause.opening(due: now) == now + .milliseconds(500))
        #expect(pause.opening(due: now + .seconds(1)) == now + .seconds(1))
    }

    @Test("A promoted hedge gets its full time before another hedge is opened") mutating func promoted() {
        pause.promoted(now, hedgeDelay: .seconds(2))
        #expect(pause.opening(due: Self.start) == now + .seconds(2))
    }

    @Test("After a refusal, a hedge to another address is opened at once") mutating func refused() {
        pause.refused(now)
        #expect(pause.opening(due: Self.start) == now)
    }

    @Test("After another failure, the first connection gets its time without audio once more") mutating func failed() {
        pause.failed(beside: Self.connection(heard: .seconds(17)), now)
        #expect(pause.opening(due: Self.start) == now + .seconds(3))
        pause.failed(beside: Self.connection(), now)
        #expect(pause.opening(due: Self.start) == now + .seconds(20))
    }

    @Test("Audio or a new attempt ends the pause of hedges") mutating func finished() {
        pause.failed(beside: Self.connection(), now)
        pause.finish()
        #expect(pause.opening(due: Self.start) == Self.start)
    }
}
