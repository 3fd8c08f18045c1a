// SPDX-License-Identifier: MIT

/// Remembers the last address of each host, for use when no name server answers. The number of entries is bounded.
struct AddressBook {
    private var entries: [String: PeerAddress] = [:]
    /// The hosts, the least recently reached first.
    private var order: [String] = []

    private static let limit = 256

    /// Returns the last address at which the host was reached; nil if that address has failed since.
    func address(of host: String) -> PeerAddress? { entries[host] }

    /// Keeps the address at which the host was reached.
    mutating func found(_ host: String, at address: PeerAddress) {
        if entries[host] != nil { order.removeAll { $0 == host } }
        entries[host] = address
        order.append(host)
        if order.count > Self.limit { entries[order.removeFirst()] = nil }
    }

    /// Removes the address at which the host was not reached, after a single failure.
    mutating func failed(_ host: String, at address: PeerAddress) {
        guard entries[host] == address else { return }
        entries[host] = nil
        order.removeAll { $0 == host }
    }
}
