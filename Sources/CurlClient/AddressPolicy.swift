// SPDX-License-Identifier: MIT

/// Decides which addresses a transfer may connect to, hop by hop. The policy is updated with each connection.
///
/// Servers choose the hosts of redirects, and must not reach into our network through us. So a private address is
/// allowed only while every hop so far went to a private address, and on the first hop only if the user permits it.
package struct AddressPolicy {
    /// Returns how far an address reaches, that is, which hosts it can belong to.
    let reach: (PeerAddress) -> PeerAddress.Reach
    private var allowsNearby: Bool

    package init(allowsPrivateFirst: Bool, reach: @escaping (PeerAddress) -> PeerAddress.Reach = \.reach) {
        allowsNearby = allowsPrivateFirst
        self.reach = reach
    }

    /// Whether the current hop may connect to the address.
    package func allows(_ address: PeerAddress) -> Bool {
        switch reach(address) {
        case .everywhere: true
        case .nearby: allowsNearby
        case .never: false
        }
    }

    /// Forbids nearby addresses from now on, unless the address to which the current hop connected is nearby; nil if it
    /// could not be read.
    package mutating func connected(to address: PeerAddress?) {
        if address.map(reach) != .nearby { allowsNearby = false }
    }
}
