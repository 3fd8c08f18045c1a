// SPDX-License-Identifier: MIT

import ArgumentParser
import Configuration
import Daemon
import Glibc
import RadioFormats
import WallClock

/// Which configuration file to use; shared by `serve`, `check` and `add`.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The configuration file. Default: aircheck/config.toml in $XDG_CONFIG_HOME or ~/.config if it is there, \
            else /etc/aircheck/config.toml
            """, valueName: "file"), completion: .configuration)
    var config: String?

    /// The path of the file.
    var path: String {
        ConfigurationPath.choose(option: config, environment: ProcessEnvironment.values) {
            access($0.pathBytes, F_OK) == 0
        }
    }

    /// The path of the file to add to; it need not exist.
    var pathToWrite: String {
        ConfigurationPath.chooseToWrite(
            option: config, environment: ProcessEnvironment.values, isRoot: geteuid() == 0
        ) { access($0.pathBytes, F_OK) == 0 }
    }

    /// The properties of this machine on which configurations depend.
    static var context: ConfigurationContext {
        let zones = TimeZones()
        return ConfigurationContext(
            environment: ProcessEnvironment.values, userAgent: Version.userAgent,
            zones: .init(
                isKnown: { name in (try? zones.zone(named: name)) != nil },
                nearest: { zones.nearest(to: $0) }), events: EventName.all.map(\.rawValue))
    }
}

extension ConfigurationError {
    /// One line for each fault: `FILE:LINE: KEY: what is wrong; what would be right`. `missing`: what to do if there is
    /// no such file.
    func lines(
        of path: String, missing remedy: String = "'aircheck add ADDRESS' creates it; --config names another file"
    ) -> [String] {
        switch self {
        case .unreadable(let fault): [fault.reason == .missing ? "\(fault); \(remedy)" : "\(fault)"]
        case .invalid(let faults): faults.map { $0.line(in: path) }
        }
    }
}
