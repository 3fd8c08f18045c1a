// SPDX-License-Identifier: MIT

package import Instants

extension ConnectionMachine {
    package enum State: Hashable, Sendable {
        /// → open, stopped
        case idle
        /// One connection. → open (the next try), hedged, waiting, stopped
        case open(Connection)
        /// The first connection has stalled, or hangs before it has delivered audio, and a second connection was opened
        /// beside it. → hedged (the hedge tries another address), open, waiting, stopped
        case hedged(Connection, hedge: Connection)
        /// No connection. → open, stopped
        case waiting(until: MonotonicInstant)
        case stopped(StopReason)
    }

    package enum StopReason: Hashable, Sendable {
        /// A stop was requested.
        case requested
        /// A file has been delivered to its end.
        case finished
        /// There was no audio within the time that the user allows, or no audio can be expected. Carries the last
        /// failure.
        case gaveUp(Failure)
    }

    package enum Action: Hashable, Sendable {
        case none
        /// Close all open connections, and open a first connection.
        case connect(Attempt)
        /// Open a hedge beside the first connection. If an earlier hedge is still open, close that hedge first.
        case openHedge(Attempt)
        /// Close the hedge, unless it has already ended. The first connection has resumed, or may still resume.
        case closeHedge
        /// Close the first connection, unless it has already ended. The hedge, which has this attempt, is the first
        /// connection from now on, whatever step it has reached.
        case promote(Attempt)
        /// Close all connections and wait for ``deadline``.
        case wait
        /// Close all connections: the station has stopped.
        case stop(StopReason)
    }
}
