// SPDX-License-Identifier: MIT

import Configuration
import Engine

/// What the engine's HTTP service is told to listen on, with each configuration. A value.
struct Listening {
    private var isServing = false
    /// Whether sockets came from the service manager.
    private var hasInherited = false
    /// The service to ask for again where it could not be had: at boot, the network may not be up yet.
    private(set) var failed: ServiceSpec?
    private var asked: ServiceSpec?

    /// The service of a configuration; nil if there is none. `inherited`: sockets from the service manager, which only
    /// count the first time.
    mutating func service(_ spec: ServiceSpec, _ settings: ServerSettings, inherited: [CInt]) -> ServiceSpec? {
        failed = nil
        hasInherited = hasInherited || !inherited.isEmpty
        guard isServing || hasInherited || !settings.listen.isEmpty else { return nil }
        isServing = true
        var spec = spec
        // The service manager's sockets take the place of the default address.
        if hasInherited, settings.listensByDefault { spec.addresses = [] }
        // A failed service has closed the sockets that it inherited, so it cannot be asked for again.
        asked = inherited.isEmpty ? spec : nil
        spec.inherited = inherited
        return spec
    }

    /// Notes how it went.
    mutating func note(isListening: Bool) { failed = isListening ? nil : asked }
}
