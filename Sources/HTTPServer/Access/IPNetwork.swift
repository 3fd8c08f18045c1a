// SPDX-License-Identifier: MIT

/// A network of IPv4 or IPv6 addresses: `192.168.0.0/16`, `fd00::/8`, or one address.
///
/// An IPv4 address that is written as IPv6 (`::ffff:192.0.2.1`) is the IPv4 address, here and in ``contains(_:)``.
package struct IPNetwork: Hashable, Sendable {
    /// The first address; bits behind the prefix are zero.
    private let base: SocketAddress.Host
    /// Bits that all of its addresses share.
    private let prefix: Int

    /// Reads `ADDRESS` or `ADDRESS/BITS`; nil where it is neither. Bits of the address behind the prefix are ignored.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = SocketAddress.Host(parts[0]) else { return nil }
        let isMapped = parts[0].contains(":") && address.bits == 32
        guard parts.count == 2 else {
            self.init(address, prefix: address.bits)
            return
        }
        // Three digits are enough for any prefix, and no sign passes.
        guard (1...3).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            var prefix = Int(parts[1])
        else { return nil }
        if isMapped { prefix -= 96 }
        guard (0...address.bits).contains(prefix) else { return nil }
        self.init(address, prefix: prefix)
    }

    private init(_ address: SocketAddress.Host, prefix: Int) {
        base = address.masked(to: prefix)
        self.prefix = prefix
    }

    /// Whether the address lies in the network. The interface of a link-local address does not matter; a Unix socket
    /// lies in none.
    package func contains(_ address: SocketAddress.Host) -> Bool {
        let address = address.unmapped
        return address.bits == base.bits && address.masked(to: prefix) == base
    }

    /// What leads back to the machine itself.
    package static let loopback = ["127.0.0.0/8", "::1"].compactMap { IPNetwork($0) }
}

extension IPNetwork: CustomStringConvertible {
    package var description: String {
        prefix == base.bits ? "\(base)" : "\(base)/\(prefix)"
    }
}

extension [IPNetwork] {
    package func contain(_ address: SocketAddress.Host) -> Bool {
        contains { $0.contains(address) }
    }
}

extension SocketAddress.Host {
    /// The length of the address.
    fileprivate var bits: Int {
        switch self {
        case .v4: 32
        case .v6: 128
        case .unix: 0
        }
    }

    /// With the first bits alone, and without an interface.
    func masked(to prefix: Int) -> Self {
        switch self {
        case .v4(let address):
            .v4(address & ~Self.tail(UInt32.max, prefix))
        case .unix:
            self
        case .v6(let high, let low, _):
            .v6(
                high: high & ~Self.tail(UInt64.max, min(prefix, 64)),
                low: low & ~Self.tail(UInt64.max, max(prefix - 64, 0)), scope: 0)
        }
    }

    /// The bits behind the first ones; a shift of all of them leaves none.
    private static func tail<Bits: FixedWidthInteger>(_ all: Bits, _ prefix: Int) -> Bits { all >> prefix }
}

/// From where something may be reached: a list of networks that are denied, and one of those that are allowed.
package struct NetworkPolicy: Hashable, Sendable {
    /// Where this is not empty, nobody else gets in.
    package var allowed: [IPNetwork]
    /// Nobody from here gets in, also where ``allowed`` names them.
    package var denied: [IPNetwork]

    /// By default everybody gets in.
    package init(allowed: [IPNetwork] = [], denied: [IPNetwork] = []) {
        self.allowed = allowed
        self.denied = denied
    }

    /// Who has come by a Unix socket counts as somebody at 127.0.0.1.
    package func permits(_ address: SocketAddress.Host) -> Bool {
        let address = address.isUnix ? .v4(0x7F00_0001) : address
        return !denied.contain(address) && (allowed.isEmpty || allowed.contain(address))
    }
}
