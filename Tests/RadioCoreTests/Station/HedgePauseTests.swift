// SPDX-License-Identifier: MIT

import Instants
import Testing

@testable import RadioCore

@Suite struct HedgePauseTests {
    private static let start = MonotonicInstant(nanoseconds: 0)
    /// When the hedges of these tests end.
    private let now = Self.start + .seconds(20)
    private var pause = HedgePause()

    /// A first connection whose attempt began at `start`, and whose last frame, if any, arrived at `heard`.
    private static func connection(heard: Duration? = nil) -> ConnectionMachine.Connection {
        let attempt = ConnectionMachine.Attempt(number: 1, mirror: 0, viaLastFinalURL: false)
        var connection = ConnectionMachine.Connection(attempt, kind: .live, start)
        if let heard { _ = connection.heard(start + heard) }
        return connection
    }

    @Test func `without a reason for a pause, a hedge is opened when it is due`() {
        #expect(pause.opening(due: now) == now)
    }

    @Test mutating func `a hedge that is not allowed is considered again after half a second`() {
        pause.notAllowed(now)
        #expect(pause.opening(due: now) == now + .milliseconds(500))
        #expect(pause.opening(due: now + .seconds(1)) == now + .seconds(1))
    }

    @Test mutating func `a promoted hedge gets its full time`() {
        pause.promoted(now, hedgeDelay: .seconds(2))
        #expect(pause.opening(due: Self.start) == now + .seconds(2))
    }

    @Test mutating func `after a refusal another address gets a hedge at once`() {
        pause.refused(now)
        #expect(pause.opening(due: Self.start) == now)
    }

    @Test mutating func `after another failure the first connection has its time without audio again`() {
        pause.failed(beside: Self.connection(heard: .seconds(17)), now)
        #expect(pause.opening(due: Self.start) == now + .seconds(3))
        pause.failed(beside: Self.connection(), now)
        #expect(pause.opening(due: Self.start) == now + .seconds(20))
    }

    @Test mutating func `audio, or a new try, ends the pause`() {
        pause.failed(beside: Self.connection(), now)
        pause.finish()
        #expect(pause.opening(due: Self.start) == Self.start)
    }
}
