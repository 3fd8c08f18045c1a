// SPDX-License-Identifier: MIT

import Configuration
import RadioFormats

/// The rules of all stations and shows, and the space that is to be free on the disk.
struct RetentionRules: Hashable, Sendable {
    /// The rules of a station and of its shows, as far as they have their own.
    struct Station: Hashable, Sendable {
        var own = RetentionRule()
        var shows: [String: RetentionRule] = [:]
    }

    /// The rule of stations and shows that have none of their own.
    var general = RetentionRule()
    /// The number of bytes to keep free on the disk; nil if nothing is deleted to free space.
    var floor: Int64?
    /// The configured stations, by their IDs.
    var stations: [String: Station] = [:]

    /// Rules that delete nothing.
    static let none = RetentionRules()

    /// Whether nothing is ever deleted.
    var isEmpty: Bool { floor == nil && all.allSatisfy { !$0.hasLimit } }

    /// Whether any rule is about age.
    var countDays: Bool { all.contains(where: \.isAboutAge) }

    /// The show's own rule, or else its station's rule, or else the general rule. Nil for a station that is not in the
    /// configuration: a user who removes a station may want to keep its recordings, even if the disk is full.
    func rule(_ station: String?, _ show: String?) -> RetentionRule? {
        guard let station = station.flatMap({ stations[$0] }) else { return nil }
        let own = show.flatMap { station.shows[$0] } ?? RetentionRule()
        return own.completed(by: station.own).completed(by: general)
    }

    private var all: [RetentionRule] {
        stations.values.flatMap { [$0.own] + Array($0.shows.values) } + [general]
    }
}

extension RetentionRules {
    /// The rules of a configuration.
    init(_ configuration: Configuration) {
        self.init(general: configuration.storage.keep, floor: configuration.storage.leastFree)
        for station in configuration.stations {
            let shows = station.shows.map { ($0.show.id, $0.files.keep) }.filter { $0.1 != RetentionRule() }
            stations[station.id] = Station(own: station.files.keep, shows: Dictionary(shows) { first, _ in first })
        }
    }
}

extension RetentionRules {
    /// The rules as stored by ``json``. Nil if anything is malformed, because half of the rules would keep less.
    init?(json: JSONValue) {
        guard case .object(let stations)? = json["stations"],
            let general = json["general"].flatMap(RetentionRule.init(json:))
        else { return nil }
        self.init(general: general, floor: json["free_space"]?.integerValue)
        for member in stations.members {
            guard let own = member.value["own"].flatMap(RetentionRule.init(json:)),
                case .object(let shows)? = member.value["shows"]
            else { return nil }
            var station = Station(own: own)
            for show in shows.members {
                guard let rule = RetentionRule(json: show.value) else { return nil }
                station.shows[show.name] = rule
            }
            self.stations[member.name] = station
        }
    }

    /// The rules in a form for the next run of the daemon.
    var json: JSONValue {
        func object<Value>(_ values: [String: Value], _ json: (Value) -> JSONValue) -> JSONValue {
            .object(JSONObject(distinct: values.sorted { $0.key < $1.key }.map { .init(name: $0, value: json($1)) }))
        }
        let stations = object(stations) { ["own": $0.own.json, "shows": object($0.shows, \.json)] }
        return .object(["general": general.json, "free_space": floor.ifKnown, "stations": stations])
    }
}
