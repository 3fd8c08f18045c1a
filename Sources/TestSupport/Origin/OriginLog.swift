// SPDX-License-Identifier: MIT

package import Instants

/// The connections, requests and faults of a ``ScriptedOrigin`` or ``VirtualOrigin`` so far.
package struct OriginLog: Sendable {
    /// An accepted connection.
    package struct Accept: Sendable {
        package let at: MonotonicInstant
        /// The server that accepted it: its name in ``VirtualOrigin/init(hosts:reactor:)``, otherwise empty.
        package internal(set) var host: String
        /// The instant at which either side ended the connection; nil while it is open.
        package internal(set) var ended: MonotonicInstant?
        /// The parts of the programme that were sent, in order.
        package internal(set) var sent: [Sent] = []
    }

    /// A part of a programme that was sent at once. Other bytes, such as metadata, may have been sent between its
    /// bytes.
    package struct Sent: Sendable, Hashable {
        /// The place of the part in ``Broadcast/bytes``.
        package var range: Range<Int>
        package let at: MonotonicInstant
        /// When the client read the bytes (virtual time only; otherwise the same as ``at``).
        package let read: MonotonicInstant
    }

    /// A received request.
    package struct Request: Sendable {
        package let connection: Int
        package let at: MonotonicInstant
        /// The path and query.
        package let target: String
        package let wantsMetadata: Bool
        /// The text of the request; nil in virtual time.
        package var received: OriginRequest?
    }

    /// A fault of a script, or the reset of a stream at the start of an absence.
    package struct Fault: Sendable {
        package internal(set) var connection: Int
        package let effect: LiveFault.Effect
        package let at: MonotonicInstant
        /// The place of the first frame that was not sent completely.
        package let place: Int
    }

    /// The accepted connections, indexed by connection number, which is counted over all hosts.
    package internal(set) var accepts: [Accept] = []
    /// Refused attempts to connect (virtual time only: real ones are refused by the kernel).
    package internal(set) var refusals: [Accept] = []
    package internal(set) var requests: [Request] = []
    package internal(set) var faults: [Fault] = []
    /// The number of body bytes delivered on all connections. At a ``ScriptedOrigin``, only the bytes of streams are
    /// counted.
    package internal(set) var bodyBytes = 0
    /// The number of bytes sent on all connections, including heads; always 0 in virtual time.
    package internal(set) var sentBytes = 0
    /// How often clients had to wake up for body bytes (virtual time only).
    package internal(set) var deliveries = 0
    /// The number of open connections.
    package internal(set) var open = 0
    /// The largest number of connections that were open at the same time.
    package internal(set) var mostOpen = 0

    /// The connections and faults of several servers, in one log.
    package init(joining logs: [(host: String, log: OriginLog)]) {
        for (host, log) in logs {
            let first = accepts.count
            accepts += log.accepts.map { accept in
                var accept = accept
                accept.host = host
                return accept
            }
            faults += log.faults.map { fault in
                var fault = fault
                fault.connection += first
                return fault
            }
        }
    }

    package init() {}

    /// Adds a part of the programme, if there is one, that was sent on a connection.
    mutating func sent(_ range: Range<Int>?, on connection: Int, at: MonotonicInstant, read: MonotonicInstant) {
        guard let range else { return }
        let newest = accepts[connection].sent.indices.last
        if let newest, case let sent = accepts[connection].sent[newest], sent.range.upperBound == range.lowerBound,
            sent.at == at, sent.read == read
        {
            accepts[connection].sent[newest].range = sent.range.lowerBound..<range.upperBound
        } else {
            accepts[connection].sent.append(Sent(range: range, at: at, read: read))
        }
    }

    mutating func accepted(at instant: MonotonicInstant, host: String) -> Int {
        accepts.append(Accept(at: instant, host: host))
        open += 1
        mostOpen = max(mostOpen, open)
        return accepts.count - 1
    }
}
