// SPDX-License-Identifier: MIT

import Configuration
import RadioFormats

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
        let list = stations.sorted { $0.key < $1.key }.map { id, station in
            let shows = station.shows.sorted { $0.key < $1.key }.map { JSONObject.Member(name: $0, value: $1.json) }
            return JSONObject.Member(
                name: id, value: ["own": station.own.json, "shows": .object(JSONObject(distinct: shows))])
        }
        return .object([
            "general": general.json, "free_space": floor.ifKnown, "stations": JSONObject(distinct: list),
        ])
    }
}
