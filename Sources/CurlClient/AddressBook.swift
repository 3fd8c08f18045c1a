// SPDX-License-Identifier: MIT

/// Where hosts were last found, for the times when no name server answers. A value; bounded.
struct AddressBook {
    private var entries: [String: PeerAddress] = [:]
    /// The hosts, the one that was found longest ago first.
    private var order: [String] = []

    private static let limit = 256

    /// The address at which the host was reached last, if it has not failed since.
    func address(of host: String) -> PeerAddress? { entries[host] }

    /// The host was reached.
    mutating func found(_ host: String, at address: PeerAddress) {
        if entries[host] != nil { order.removeAll { $0 == host } }
        entries[host] = address
        order.append(host)
        if order.count > Self.limit { entries[order.removeFirst()] = nil }
    }

    /// The host was not reached there: one failure is enough.
    mutating func failed(_ host: String, at address: PeerAddress) {
        guard entries[host] == address else { return }
        entries[host] = nil
        order.removeAll { $0 == host }
    }
}
