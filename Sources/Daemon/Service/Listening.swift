// SPDX-License-Identifier: MIT

import Configuration
import Engine
import EventLoop
import HTTPServer

/// Determines the addresses and sockets of the engine's HTTP service for each configuration.
struct Listening {
    private var isServing = false
    /// Whether sockets came from the service manager.
    private var hasInherited = false

    /// The service for a configuration; nil if there is none.
    mutating func service(_ spec: ServiceSpec, _ settings: ServerSettings) -> ServiceSpec? {
        hasInherited = hasInherited || spec.sockets?.object?.hasInherited == true
        guard isServing || hasInherited || !settings.listen.isEmpty else { return nil }
        isServing = true
        var spec = spec
        // The service manager's sockets replace the default addresses.
        if hasInherited, settings.listensByDefault { spec.addresses = [] }
        if hasInherited {
            // Whether other machines can reach the service manager's sockets is decided by the service manager. So the
            // limit is chosen as if they could.
            spec.limits.streamsPerAddress = HTTPLimits.perAddress(
                settings.mostPerAddress, at: settings.listen + [SocketAddress(host: .any, port: 0)])
        }
        // At boot, the network may not be up yet, so an address that cannot be used must not keep the service from
        // starting.
        spec.shortage = .servesOthers
        return spec
    }
}
