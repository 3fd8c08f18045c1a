// SPDX-License-Identifier: MIT

/// Who is connected, and whether one more may be. A value without I/O.
struct HTTPAdmission {
    private let limits: HTTPLimits
    private(set) var count = 0
    private var byHost: [SocketAddress.Host: Int] = [:]

    init(limits: HTTPLimits) {
        self.limits = limits
    }

    /// Counts a client in; false where it has no place.
    mutating func admit(_ peer: SocketAddress) -> Bool {
        guard count < limits.connections else { return false }
        let ofHost = byHost[peer.host, default: 0]
        if let most = limits.connectionsPerAddress, ofHost >= most, !peer.isLoopback { return false }
        count += 1
        byHost[peer.host] = ofHost + 1
        return true
    }

    /// Counts a client out that was admitted.
    mutating func release(_ peer: SocketAddress) {
        count -= 1
        let left = byHost[peer.host, default: 1] - 1
        byHost[peer.host] = left == 0 ? nil : left
    }
}
