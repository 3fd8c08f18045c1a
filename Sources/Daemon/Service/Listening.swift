// SPDX-License-Identifier: MIT

import Configuration
import Engine
import HTTPServer

/// Determines the addresses and sockets of the engine's HTTP service for each configuration.
struct Listening {
    private var isServing = false
    /// Whether sockets came from the service manager.
    private var hasInherited = false

    /// The service for a configuration; nil if there is none. `inherited` holds the sockets from the service manager,
    /// which are used only the first time.
    mutating func service(_ spec: ServiceSpec, _ settings: ServerSettings, inherited: [CInt]) -> ServiceSpec? {
        hasInherited = hasInherited || !inherited.isEmpty
        guard isServing || hasInherited || !settings.listen.isEmpty else { return nil }
        isServing = true
        var spec = spec
        // The service manager's sockets take the place of the default address.
        if hasInherited, settings.listensByDefault { spec.addresses = [] }
        spec.inherited = inherited
        if hasInherited {
            // The service manager decides whether other machines can reach its sockets.
            spec.limits.connectionsPerAddress = HTTPLimits.perAddress(
                settings.mostPerAddress, at: settings.listen + [SocketAddress(host: .any, port: 0)])
        }
        // At boot, the network may not be up yet.
        spec.shortage = .servesOthers
        return spec
    }
}
