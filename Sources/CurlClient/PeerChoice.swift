// SPDX-License-Identifier: MIT

import Glibc

/// Chooses the addresses to which a transfer may connect, hop by hop, and knows why it could connect to none.
struct PeerChoice {
    private var policy: AddressPolicy
    /// The addresses claimed by other attempts at the same exchange.
    private let claims: AddressClaims
    private var obstacle: Obstacle?
    /// The address to which the current hop is connected; nil if it is unknown.
    private(set) var peer: PeerAddress?

    /// Why an address was not connected to. Of several, the one to report is the greatest.
    private enum Obstacle {
        /// The address was left to another attempt, which had claimed it.
        case leftToOther
        /// No socket could be opened; the error is an `errno`.
        case noSocket(CInt)
        /// The policy does not allow the address.
        case forbidden(PeerAddress)

        var rank: Int {
            switch self {
            case .leftToOther: 0
            case .noSocket: 1
            case .forbidden: 2
            }
        }
    }

    init(_ policy: AddressPolicy, claims: AddressClaims) {
        (self.policy, self.claims) = (policy, claims)
    }

    /// Whether the current hop may connect to an address. `attempt`: the transfer, if it must have claimed the address.
    mutating func allows(_ address: PeerAddress, claimedBy attempt: Transfer?) -> Bool {
        guard policy.allows(address) else {
            note(.forbidden(address))
            return false
        }
        guard attempt.map({ claims.take(address, for: $0) }) ?? true else {
            note(.leftToOther)
            return false
        }
        return true
    }

    /// Makes a socket that could not be opened the obstacle.
    mutating func noSocket(_ error: CInt) { note(.noSocket(error)) }

    /// Forgets the obstacle, because a redirect leads to the next hop.
    mutating func redirected() { obstacle = nil }

    /// Makes the address to which the current hop is connected the peer; nil if it is unknown.
    mutating func connected(to address: PeerAddress?) {
        peer = address
        policy.connected(to: address)
    }

    private mutating func note(_ new: Obstacle) {
        if obstacle.map({ $0.rank <= new.rank }) ?? true { obstacle = new }
    }

    /// Whether the server that was reached has an address in a private network.
    var isPeerPrivate: Bool { peer.map(policy.reach) == .nearby }

    /// Why the current hop could not connect, if it is not what curl says. `url`: the hop's URL for display.
    func error(_ url: String, isRedirected: Bool) -> TransferError? {
        switch obstacle {
        case nil: nil
        case .leftToOther: TransferError(.connectTimeout, "\(url) did not answer")
        case .noSocket(let number) where [EMFILE, ENFILE].contains(number):
            TransferError(.resources, "no socket can be opened for \(url) (errno \(number))")
        case .noSocket(let number) where [ENOBUFS, ENOMEM].contains(number):
            TransferError(.resources, "no memory for a socket for \(url) (errno \(number))")
        case .noSocket(let number):
            TransferError(.unreachable, "\(url) cannot be reached from here (errno \(number))")
        case .forbidden(let address):
            TransferError(
                .addressForbidden,
                isRedirected && policy.reach(address) == .nearby
                    ? "a redirect to \(url) leads to the private address \(address)"
                    : "\(url) is at \(address), to which Aircheck does not connect",
                address: address.description)
        }
    }
}
