// SPDX-License-Identifier: MIT

import Configuration
import Engine
import HTTPServer
import Relay

extension UseKey.Kind {
    package static let mount = Self("mount", rank: 2)
}

/// Relays stations to listeners.
struct MountPurpose: Purpose, Addition {
    init(_ context: DaemonContext) {}

    /// The path at which a station is served.
    static func path(of station: String) -> String { "/\(station)" }

    func add(to plan: inout RunningPlan, for settings: LoadedConfiguration) {
        for station in settings.configuration.stations {
            guard let relaying = station.relay else { continue }
            var mount = MountPlan(path: Self.path(of: station.id), relaying: relaying, name: station.name)
            if let fallback = relaying.fallback {
                let name = "\(station.id) fallback"
                plan.programmes[name] = .fallback(fallback, ahead: relaying.burst)
                mount.fallback = name
            }
            plan.add(UseKey(station.id, .mount), mount)
        }
    }
}

/// A mount that should run.
struct MountPlan: UsePlan {
    var path: String
    var relaying: StationConfiguration.Relaying
    var name: String?
    /// The name of the fallback in ``RunningPlan/programmes``.
    var fallback: String?

    var otherProgramme: String? { fallback }
    var exclusive: String? { path }
    var isOnDemand: Bool { relaying.isOnDemand }

    func spec(_ start: UseStart) -> any UseSpec {
        var spec = MountSpec(path: path)
        spec.settings.isOnDemand = relaying.isOnDemand
        spec.settings.burst = relaying.burst
        spec.settings.rewind = relaying.rewind
        spec.settings.longestOutage = relaying.longestOutage
        spec.settings.hasFiller = relaying.hasFiller
        spec.settings.listeners = relaying.mostListeners
        spec.settings.fields.name = name
        // The station's ID.
        spec.settings.unnamed = String(path.dropFirst())
        spec.settings.rules = MountRequest.streamRules(start.settings.rules)
        spec.fallback = start.other
        return spec
    }

    func request(_ rules: HTTPRouteRules) -> (any UseRequest)? { MountRequest.rules(rules) }
}
