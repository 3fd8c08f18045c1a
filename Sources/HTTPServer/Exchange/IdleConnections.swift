// SPDX-License-Identifier: MIT

/// The connections kept for another request, in the order in which they became idle.
struct IdleConnections {
    /// Identifies an idle connection; never reused.
    typealias Ticket = Int

    private var waiting: [Ticket: HTTPConnection] = [:]
    /// Contains the tickets of all idle connections.
    private var tickets = 0..<0

    var count: Int { waiting.count }

    mutating func insert(_ connection: HTTPConnection) -> Ticket {
        let ticket = tickets.upperBound
        tickets = tickets.lowerBound..<(ticket + 1)
        waiting[ticket] = connection
        return ticket
    }

    mutating func remove(_ ticket: Ticket) {
        waiting[ticket] = nil
        if waiting.isEmpty { tickets = tickets.upperBound..<tickets.upperBound }
    }

    /// Removes and returns the connection that has been idle for longest.
    mutating func removeOldest() -> HTTPConnection? {
        while let ticket = tickets.first {
            tickets = tickets.dropFirst()
            if let connection = waiting.removeValue(forKey: ticket) { return connection }
        }
        return nil
    }

    /// An idle connection of the client.
    func first(of client: SocketAddress.Host) -> HTTPConnection? {
        waiting.values.first { $0.peer.limitKey == client.limitKey }
    }
}
