// SPDX-License-Identifier: MIT

package import Instants

/// What happened at a ``LiveOrigin`` or a ``VirtualOrigin`` so far.
package struct OriginLog: Sendable {
    /// A connection that was accepted.
    package struct Accept: Sendable {
        package let at: MonotonicInstant
        /// Which server it came to: the host of ``VirtualOrigin/init(hosts:reactor:)``.
        package let host: String
        /// When it was over, whoever ended it (virtual time only).
        package internal(set) var ended: MonotonicInstant?
    }

    /// A request as it came.
    package struct Request: Sendable {
        package let connection: Int
        package let at: MonotonicInstant
        /// Path and query.
        package let target: String
        package let wantsMetadata: Bool
    }

    /// A fault of a script, or an absence that resets a stream.
    package struct Fault: Sendable {
        package let connection: Int
        package let effect: LiveFault.Effect
        package let at: MonotonicInstant
        /// The place of the first frame that was not sent whole.
        package let place: Int
    }

    /// By the number of the connection, counted over all hosts.
    package internal(set) var accepts: [Accept] = []
    /// Attempts to connect when nobody listened (virtual time only: the kernel refuses real ones).
    package internal(set) var refusals: [Accept] = []
    package internal(set) var requests: [Request] = []
    package internal(set) var faults: [Fault] = []
    /// How many bytes of bodies were handed over on all connections.
    package internal(set) var bodyBytes = 0
    /// How many connections are open.
    package internal(set) var open = 0
    /// How many were open at most.
    package internal(set) var mostOpen = 0

    mutating func accepted(at instant: MonotonicInstant, host: String) -> Int {
        accepts.append(Accept(at: instant, host: host))
        open += 1
        mostOpen = max(mostOpen, open)
        return accepts.count - 1
    }
}
