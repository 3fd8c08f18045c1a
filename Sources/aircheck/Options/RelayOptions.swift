// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import HTTPServer
import RadioCore
import Relay

/// Where and how to serve a programme.
struct RelayOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            """
            Address and port at which players connect. May be given several times. With :8000 other devices can reach \
            it (0.0.0.0:8000 and [::]:8000 are IPv4 or IPv6 alone); with the default, 127.0.0.1:8000, only programs \
            on this machine can. \
            unix:/run/aircheck.sock is a Unix socket, for a proxy in front.
            """, valueName: "address:port"))
    var listen: [String] = []

    @Option(name: .shortAndLong, help: .value("path", "Path at which the programme is served. Default: /live"))
    var mount: String?

    @Option(
        help: .value("time", "How much audio a player gets at once, so that it starts right away. Default: 4s"),
        transform: ArgumentValue.duration)
    var burst: DurationArgument?

    @Option(
        help: .value(
            "time",
            "How much past audio to keep in memory for clients that ask for it (?from=-5m), 1h at most. Default: 75s"),
        transform: ArgumentValue.duration)
    var rewind: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "How long players get silence while the station is unavailable. Default: 10m (Ogg: 1m at most)",
            valueName: "time"),
        transform: ArgumentValue.duration)
    var keepListeners: DurationArgument?

    @Option(
        help: ArgumentHelp(
            """
            What players hear while the station is unavailable, instead of silence: an address, file, folder or \
            playlist of files, in the station's codec. Recordings made with Aircheck never contain the fallback.
            """, valueName: "source"), completion: .file())
    var fallback: String?

    @Flag(
        help: """
            Send only the station's own audio: no silence while it is unavailable. For listeners that record or \
            relay with other programs; Aircheck needs no such option. Cannot be combined with --fallback.
            """)
    var noFiller = false

    @Option(
        help: .value("number", "Maximum number of listeners at one time. Default: as many as possible"),
        transform: ArgumentValue.count)
    var maxListeners: Int?

    /// The first of these options that was given; nil if none was.
    var given: String? {
        Self.first(given: [
            "--listen": !listen.isEmpty, "--mount": mount != nil, "--burst": burst != nil,
            "--rewind": rewind != nil, "--keep-listeners": keepListeners != nil, "--fallback": fallback != nil,
            "--max-listeners": maxListeners != nil, "--no-filler": noFiller,
        ])
    }

    func addresses() throws(SettingFault) -> [SocketAddress] {
        try (listen.isEmpty ? ["127.0.0.1:8000"] : listen).map { text throws(SettingFault) in
            try SocketAddress(parsing: text)
        }
    }

    /// How to serve the programme.
    func spec() throws(SettingFault) -> MountSpec {
        var spec = MountSpec(path: try Mount.path(parsing: mount ?? "/live"))
        if let burst { spec.settings.burst = burst.duration }
        if let rewind { spec.settings.rewind = rewind.duration }
        if let keepListeners { spec.settings.longestOutage = keepListeners.duration }
        spec.settings.listeners = maxListeners
        spec.settings.hasFiller = !noFiller
        return spec
    }
}
