// SPDX-License-Identifier: MIT

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

    package func permits(_ address: SocketAddress.Host) -> Bool {
        !denied.contain(address) && (allowed.isEmpty || allowed.contain(address))
    }
}
