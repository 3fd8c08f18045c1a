// SPDX-License-Identifier: MIT

/// Which addresses one transfer may connect to, hop by hop: a value, fed with what happens.
///
/// The hosts of redirects are chosen by servers, which must not reach into our network through us. So a private
/// address is good only while every hop so far went to a private one, and the first because the user said so.
package struct AddressPolicy {
    /// How far an address reaches.
    let reach: (PeerAddress) -> PeerAddress.Reach
    private var allowsNearby: Bool

    package init(allowsPrivateFirst: Bool, reach: @escaping (PeerAddress) -> PeerAddress.Reach = \.reach) {
        allowsNearby = allowsPrivateFirst
        self.reach = reach
    }

    /// Whether one may connect to the address in the present hop.
    package func allows(_ address: PeerAddress) -> Bool {
        switch reach(address) {
        case .everywhere: true
        case .nearby: allowsNearby
        case .never: false
        }
    }

    /// The hop's connection is there, to this address; nil is an address that could not be read.
    package mutating func connected(to address: PeerAddress?) {
        if address.map(reach) != .nearby { allowsNearby = false }
    }
}
