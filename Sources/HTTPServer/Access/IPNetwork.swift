// SPDX-License-Identifier: MIT

import RadioFormats

/// A network of IPv4 or IPv6 addresses, such as `192.168.0.0/16` or `fd00::/8`, or a single address.
///
/// An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) counts as the IPv4 address, here and in ``contains(_:)``.
package struct IPNetwork: Hashable, Sendable {
    /// The first address; the bits after the prefix are zero.
    private let base: SocketAddress.Host
    /// The number of leading bits that all addresses share.
    private let prefix: Int

    /// Parses `ADDRESS` or `ADDRESS/BITS`; nil if `text` is neither. Ignores the address bits after the prefix.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = SocketAddress.Host(parts[0]) else { return nil }
        let isMapped = parts[0].contains(":") && address.bits == 32
        guard parts.count == 2 else {
            self.init(address, prefix: address.bits)
            return
        }
        // Three digits are enough for any prefix, and signs are not accepted.
        guard (1...3).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy(\.isDigit),
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

    /// Whether the network contains the address. The interface of a link-local address is ignored. No network contains
    /// a Unix socket.
    package func contains(_ address: SocketAddress.Host) -> Bool {
        let address = address.unmapped
        return address.bits == base.bits && address.masked(to: prefix) == base
    }

    /// The networks that lead back to this machine.
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
    /// The length of the address in bits.
    fileprivate var bits: Int {
        switch self {
        case .v4: 32
        case .v6: 128
        case .any, .unix: 0
        }
    }

    /// The address with only its first `prefix` bits, and without an interface.
    func masked(to prefix: Int) -> Self {
        switch self {
        case .v4(let address):
            .v4(address & ~Self.tail(UInt32.max, prefix))
        case .any, .unix:
            self
        case .v6(let high, let low, _):
            .v6(
                high: high & ~Self.tail(UInt64.max, min(prefix, 64)),
                low: low & ~Self.tail(UInt64.max, max(prefix - 64, 0)), scope: 0)
        }
    }

    /// The bits after the prefix; none if the prefix covers all bits.
    private static func tail<Bits: FixedWidthInteger>(_ all: Bits, _ prefix: Int) -> Bits { all >> prefix }
}

/// Which addresses have access: a list of denied networks, and a list of allowed ones.
package struct NetworkPolicy: Hashable, Sendable {
    /// If not empty, only these networks have access.
    package var allowed: [IPNetwork]
    /// Networks without access, even if ``allowed`` contains them.
    package var denied: [IPNetwork]

    /// Allows every address by default.
    package init(allowed: [IPNetwork] = [], denied: [IPNetwork] = []) {
        self.allowed = allowed
        self.denied = denied
    }

    /// A client that connected through a Unix socket counts as 127.0.0.1. A client that its proxy does not name might
    /// have any address, so it has access only if all addresses have access.
    package func permits(_ client: ServedClient) -> Bool {
        guard client.isNamed else { return denied.isEmpty && allowed.isEmpty }
        let address = client.host.isUnix ? .v4(0x7F00_0001) : client.host
        return !denied.contain(address) && (allowed.isEmpty || allowed.contain(address))
    }
}
