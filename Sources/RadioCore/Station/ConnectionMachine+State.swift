// SPDX-License-Identifier: MIT

package import Instants

extension ConnectionMachine {
    package enum State: Hashable, Sendable {
        /// → open, stopped
        case idle
        /// One connection. → open (the next try), hedged, waiting, stopped
        case open(Connection)
        /// The first connection has stalled, or hangs before it has delivered audio, and a second one was opened beside
        /// it. → hedged (the hedge tries another address), open, waiting, stopped
        case hedged(Connection, hedge: Connection)
        /// No connection. → open, stopped
        case waiting(until: MonotonicInstant)
        case stopped(StopReason)
    }

    package enum StopReason: Hashable, Sendable {
        /// A stop was requested.
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
        /// Open a hedge beside the first connection, after closing the hedge before it, unless that is over.
        case openHedge(Attempt)
        /// Close the hedge, unless it is over: the first connection is back, or may come yet.
        case closeHedge
        /// Close the first connection, unless it is over. The hedge, which has this attempt, is the first connection
        /// from now on, however far it has come.
        case promote(Attempt)
        /// Close all connections and wait for ``deadline``.
        case wait
        /// Close all connections: the station is over.
        case stop(StopReason)
    }
}
