// SPDX-License-Identifier: MIT

/// The connections that are kept for another request, in the order in which they began to wait. Confined to the loop's
/// thread.
struct IdleConnections {
    /// The place of one of them; none gets the place of another.
    typealias Ticket = Int

    private var waiting: [Ticket: HTTPConnection] = [:]
    /// Whoever waits has one of these.
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

    /// Who has waited longest, and waits no more.
    mutating func removeOldest() -> HTTPConnection? {
        while let ticket = tickets.first {
            tickets = tickets.dropFirst()
            if let connection = waiting.removeValue(forKey: ticket) { return connection }
        }
        return nil
    }

    /// One of a client's.
    func first(of client: SocketAddress.Host) -> HTTPConnection? {
        waiting.values.first { $0.peer.limitKey == client.limitKey }
    }
}
