// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import Relay

/// When to connect to a station that nobody records.
struct DemandOptions: ParsableArguments {
    @Flag(help: "Connect to the station only while somebody listens; the default of --give-up is 10s then.")
    var onDemand = false

    @Option(
        help: .value("time", "With --on-demand: how long to stay connected when nobody listens any more. Default: 30s"),
        transform: ArgumentValue.duration)
    var linger: DurationArgument?

    func apply(to spec: inout MountSpec) {
        spec.settings.isOnDemand = onDemand
        spec.linger = linger?.duration
    }
}
