// SPDX-License-Identifier: MIT

import Glibc

extension SocketAddress {
    /// Whether this is a wildcard address: `0.0.0.0`, `[::]`, or both.
    package var isWildcard: Bool {
        switch host {
        case .v4(let address): address == 0
        case .v6(let high, let low, _): high == 0 && low == 0
        case .any: true
        case .unix: false
        }
    }

    /// The URL of a path served at this address. For a Unix socket, it is written as in nginx's configuration:
    /// `http://unix:`, the socket's path, a colon and the path.
    package func url(_ path: String) -> String { host.isUnix ? "http://\(self):\(path)" : "http://\(self)\(path)" }

    /// The addresses at which a listener on this address can be reached. For a wildcard address, these are the
    /// addresses of all interfaces that are up (getifaddrs(3)), without loopback and link-local addresses if there are
    /// others. For any other address, it is the address itself.
    package var reachable: [SocketAddress] {
        guard isWildcard else { return [self] }
        let hosts = Self.interfaceHosts().filter { host == .any || $0.isV4 == host.isV4 }
        let all = hosts.map { SocketAddress(host: $0, port: port) }
        let others = all.filter { !$0.isLoopback && !$0.host.isLinkLocal }
        return others.isEmpty ? all.filter(\.isLoopback) : others
    }

    private static func interfaceHosts() -> [Host] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var hosts: [Host] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let address = entry.ifa_addr, entry.ifa_flags & UInt32(IFF_UP) != 0 else { continue }
            var storage = sockaddr_storage()
            let length =
                CInt(address.pointee.sa_family) == AF_INET6
                ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
            withUnsafeMutableBytes(of: &storage) {
                $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: length))
            }
            if let host = SocketAddress(storage)?.host, !hosts.contains(host) { hosts.append(host) }
        }
        return hosts
    }
}

extension SocketAddress.Host {
    fileprivate var isV4: Bool {
        if case .v4 = self { true } else { false }
    }
}
