// SPDX-License-Identifier: MIT

package import Glibc
import RadioFormats

/// The address of a listener or client: IPv4 or IPv6 with a port, or a Unix socket.
///
/// A Unix socket belongs to this machine; its file's permissions decide who may connect (``UnixSocketFile``). Its
/// clients have no network address. Limits and access lists treat them as 127.0.0.1: they have no limit per client, and
/// lists that name loopback admit them. But they are never trusted proxies, because no list can name them: their
/// `X-Forwarded-For` is not believed. A proxy should connect through TCP.
package struct SocketAddress: Hashable, Sendable {
    /// The address without its port.
    package enum Host: Hashable, Sendable {
        /// An IPv4 address in host byte order.
        case v4(UInt32)
        /// The two halves of an IPv6 address in host byte order, and the interface of a link-local address.
        case v6(high: UInt64, low: UInt64, scope: UInt32)
        /// Every address of this machine, IPv6 and IPv4, on a single socket. Only for listening.
        case any
        /// The path of a Unix socket; empty for a client that is connected through a Unix socket.
        case unix(path: String)
    }

    package var host: Host
    /// 0 for a Unix socket.
    package var port: UInt16

    package init(host: Host, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Parses `127.0.0.1:8000`, `[::1]:8000`, `localhost:8000` (127.0.0.1) or `:8000` (every address); other names are
    /// not resolved. Also parses a Unix socket with an absolute path, `unix:/run/aircheck.sock`.
    package init?(_ text: String) {
        if let path = Self.unixPath(in: text) {
            guard let host = Host(unixPath: path) else { return nil }
            self.init(host: host, port: 0)
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...])
        else { return nil }
        let name = text[..<colon]
        if name.isEmpty {
            self.init(host: .any, port: port)
        } else if name.hasPrefix("["), name.hasSuffix("]") {
            guard let host = Host(v6: name.dropFirst().dropLast()) else { return nil }
            self.init(host: host, port: port)
        } else {
            guard let host = Host(v4: name == "localhost" ? "127.0.0.1" : name) else { return nil }
            self.init(host: host, port: port)
        }
    }

    fileprivate static let unixPrefix = "unix:"

    /// The text after `unix:`; nil if `text` does not begin with that.
    static func unixPath(in text: String) -> String? {
        text.hasPrefix(unixPrefix) ? String(text.dropFirst(unixPrefix.count)) : nil
    }

    /// Converts the result of `accept` or `getsockname`; nil for other families. Ignores the path to which a client has
    /// bound its Unix socket, because it is untrusted.
    package init?(_ storage: sockaddr_storage) {
        switch CInt(storage.ss_family) {
        case AF_INET:
            let address = withUnsafeBytes(of: storage) { $0.loadUnaligned(as: sockaddr_in.self) }
            host = .v4(UInt32(bigEndian: address.sin_addr.s_addr))
            port = UInt16(bigEndian: address.sin_port)
        case AF_INET6:
            let address = withUnsafeBytes(of: storage) { $0.loadUnaligned(as: sockaddr_in6.self) }
            host = Host(address.sin6_addr, scope: address.sin6_scope_id)
            port = UInt16(bigEndian: address.sin6_port)
        case AF_UNIX:
            host = .unix(path: "")
            port = 0
        default:
            return nil
        }
    }

    /// Whether the address belongs to this machine only.
    package var isLoopback: Bool { host.isLoopback }

    package var family: CInt {
        switch host {
        case .v4: AF_INET
        case .v6, .any: AF_INET6
        case .unix: AF_UNIX
        }
    }

    /// Calls `body` with the address in the kernel's format.
    package func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        switch host {
        case .v4(let bits):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = bits.bigEndian
            return Self.asGeneric(address, body)
        case .any:
            return SocketAddress(host: .v6(high: 0, low: 0, scope: 0), port: port).withSocketAddress(body)
        case .v6(let high, let low, let scope):
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_scope_id = scope
            withUnsafeMutableBytes(of: &address.sin6_addr) { bytes in
                bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
                bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
            }
            return Self.asGeneric(address, body)
        case .unix(let path):
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            // The path is shorter than its field, so a NUL ends it.
            let bytes = PathText.bytes(of: path).prefix(Host.longestPath)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
            return Self.asGeneric(address, body)
        }
    }

    private static func asGeneric<Address, Result>(
        _ address: Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}

extension SocketAddress {
    /// This address, or the IPv4 address if this is an IPv4-mapped IPv6 address. A socket for both families gives such
    /// addresses to its IPv4 clients.
    var unmapped: SocketAddress { SocketAddress(host: host.unmapped, port: port) }

    /// The address without the interface, whose name means nothing on another machine.
    var withoutScope: SocketAddress {
        guard case .v6(let high, let low, _) = host else { return self }
        return SocketAddress(host: .v6(high: high, low: low, scope: 0), port: port)
    }
}

extension SocketAddress: CustomStringConvertible {
    /// The address as it is written in a URL: `127.0.0.1:8000`, `[::1]:8000`. A link-local address includes its
    /// interface, `[fe80::1%eth0]`, and every address is written as `:8000`.
    package var description: String {
        switch host {
        case .v4: "\(host):\(port)"
        case .v6: "[\(host)]:\(port)"
        case .any: ":\(port)"
        case .unix: "\(host)"
        }
    }
}

extension SocketAddress.Host {
    /// Parses an address without port or brackets: `192.0.2.1`, `2001:db8::5`. IPv4-mapped IPv6 becomes IPv4.
    package init?(_ text: some StringProtocol) {
        guard let host = Self(v4: text) ?? Self(v6: text)?.unmapped else { return nil }
        self = host
    }

    /// The host for the path of a Unix socket; nil unless the path is absolute and fits into a socket address.
    init?(unixPath path: String) {
        guard path.hasPrefix("/"), !path.hasSuffix("/"), PathText.bytes(of: path).count <= Self.longestPath,
            !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f })
        else { return nil }
        self = .unix(path: path)
    }

    /// `sun_path` has 108 bytes, of which the last one is a NUL (unix(7)).
    static let longestPath = 107

    /// Parses dotted decimal (`inet_pton`).
    init?(v4 text: some StringProtocol) {
        var address = in_addr()
        // C would end the text at a NUL.
        guard !text.utf8.contains(0), inet_pton(AF_INET, String(text), &address) == 1 else { return nil }
        self = .v4(UInt32(bigEndian: address.s_addr))
    }

    /// Parses IPv6 without an interface (`inet_pton`).
    init?(v6 text: some StringProtocol) {
        var address = in6_addr()
        guard !text.utf8.contains(0), inet_pton(AF_INET6, String(text), &address) == 1 else { return nil }
        self.init(address, scope: 0)
    }

    package var isLoopback: Bool {
        switch self {
        case .v4(let address): address >> 24 == 127
        case .v6(let high, let low, _): high == 0 && low == 1
        case .any: false
        case .unix: true
        }
    }

    var isUnix: Bool {
        if case .unix = self { true } else { false }
    }

    /// This address, or the IPv4 address if this is an IPv4-mapped IPv6 address (`::ffff:a.b.c.d`, RFC 4291, section
    /// 2.5.5.2).
    var unmapped: Self {
        guard case .v6(0, let low, _) = self, low >> 32 == 0xffff else { return self }
        return .v4(UInt32(truncatingIfNeeded: low))
    }

    /// The key for limits. For a global IPv6 address, it is the 64-bit network that a household or server usually gets;
    /// for any other address, it is the address itself, because a network of link-local or unique local addresses
    /// (fc00::/7) is a whole home.
    var limitKey: Self {
        let address = unmapped
        guard case .v6(let high, _, _) = address, !isLinkLocal, high >> 57 != 0x7E else { return address }
        return masked(to: 64)
    }

    /// Whether the address is valid on a single link only: 169.254.0.0/16, fe80::/10.
    var isLinkLocal: Bool {
        switch self {
        case .v4(let address): address >> 16 == 0xA9FE
        case .v6(let high, _, _): high >> 54 == 0x3FA
        case .any, .unix: false
        }
    }
}

extension SocketAddress.Host: CustomStringConvertible {
    fileprivate init(_ address: in6_addr, scope: UInt32) {
        self = withUnsafeBytes(of: address) { bytes in
            .v6(
                high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)), scope: scope)
        }
    }

    package var description: String {
        if case .unix(let path) = self { return path.isEmpty ? "unix" : SocketAddress.unixPrefix + path }
        let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            let address = SocketAddress(host: self, port: 0)
            let result = address.withSocketAddress { pointer, length in
                getnameinfo(pointer, length, buffer.baseAddress, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST)
            }
            guard result == 0, let text = buffer.baseAddress else { return "unknown" }
            return String(cString: text)
        }
        return text
    }
}
