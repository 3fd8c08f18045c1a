// SPDX-License-Identifier: MIT

import Configuration
import Engine

/// Determines the addresses and sockets of the engine's HTTP service for each configuration. A value.
struct Listening {
    private var isServing = false
    /// Whether sockets came from the service manager.
    private var hasInherited = false
    /// The service to start again after it failed to listen: at boot, the network may not be up yet.
    private(set) var retryable: ServiceSpec?
    private var asked: ServiceSpec?

    /// The service of a configuration; nil if there is none. `inherited` holds the sockets from the service manager,
    /// which are used only the first time.
    mutating func service(_ spec: ServiceSpec, _ settings: ServerSettings, inherited: [CInt]) -> ServiceSpec? {
        retryable = nil
        hasInherited = hasInherited || !inherited.isEmpty
        guard isServing || hasInherited || !settings.listen.isEmpty else { return nil }
        isServing = true
        var spec = spec
        // The service manager's sockets take the place of the default address.
        if hasInherited, settings.listensByDefault { spec.addresses = [] }
        asked = spec
        // They stay with the service, also if the addresses have to be tried again.
        spec.inherited = inherited
        return spec
    }

    /// Notes whether the service listens.
    mutating func note(isListening: Bool) { retryable = isListening ? nil : asked }
}
