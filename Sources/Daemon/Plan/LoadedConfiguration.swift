// SPDX-License-Identifier: MIT

package import Configuration
import Engine
package import HTTPServer
package import RadioCore

/// A configuration with the contents of the files that it names, and what follows from all stations together.
package struct LoadedConfiguration: Sendable {
    package let configuration: Configuration
    /// Who may listen and see the pages.
    package var rules = HTTPRouteRules()
    /// The rules of the zones that shows name.
    package private(set) var zones: [String: any TimeZoneRules] = [:]
    /// The station's name in the names of its files, by station ID. A station without a name has none.
    let fileNames: [String: String]

    /// Creates a configuration that names no users file.
    package init(_ configuration: Configuration) {
        self.configuration = configuration
        rules.networks = configuration.server.networks
        var (taken, names): (Set<String>, [String: String]) = ([], [:])
        for station in configuration.stations {
            // Files of two stations with one name would have the same names, so only the first station keeps its name.
            names[station.id] = station.name.map {
                taken.insert(SafeName.key($0)).inserted ? $0 : "\($0) (\(station.id))"
            }
        }
        fileNames = names
    }

    /// Reads the users file, if there is one, and the zones of shows, each once. The call blocks. `zone` finds a zone
    /// by its name, and returns nil if there is none.
    package init(
        loading configuration: Configuration, zone: (String) -> (any TimeZoneRules)?
    ) throws(SettingFault) {
        self.init(configuration)
        let names = Set(configuration.stations.flatMap { $0.shows.map(\.show.zone) })
        zones = Dictionary(names.compactMap { name in zone(name).map { (name, $0) } }) { first, _ in first }
        if let users = configuration.server.users { rules.users = try UserList(file: users) }
    }

    /// The HTTP service that the configuration describes, with what it has in every configuration.
    func service(_ base: ServiceSpec) -> ServiceSpec {
        let settings = configuration.server
        var spec = base
        spec.addresses = settings.listen
        spec.limits.trustedProxies = settings.trustedProxies
        spec.limits.streamsPerAddress = HTTPLimits.perAddress(settings.mostPerAddress, at: settings.listen)
        spec.limits.connectRate = settings.connectRate.map { RateLimit(perSecond: $0, burst: 5 * $0) }
        spec.limits.connections = settings.mostConnections
        spec.hostNames = settings.hostNames
        spec.hostNameRemedy = "to host-names in its configuration"
        spec.accessLog = settings.accessLog
        spec.rules.networks = rules.networks
        spec.rules.users = rules.users
        return spec
    }
}

extension ConfigurationChange {
    init(from old: Configuration, to new: Configuration) {
        self.init()
        log = new.log
        let before = Dictionary(old.stations.map { ($0.id, $0) }) { first, _ in first }
        for station in new.stations {
            if let previous = before[station.id] {
                if previous != station { changed.append(station.id) }
            } else {
                added.append(station.id)
            }
        }
        let ids = Set(new.stations.map(\.id))
        removed = old.stations.map(\.id).filter { !ids.contains($0) }
    }
}
