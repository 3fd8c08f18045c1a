// SPDX-License-Identifier: MIT

import Configuration
import RadioCore
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
        var object = JSONObject()
        object.append("general", general.json)
        if let floor { object.append("free_space", .integer(floor)) }
        var list = JSONObject()
        for (id, station) in stations.sorted(by: { $0.key < $1.key }) {
            var shows = JSONObject()
            for (show, rule) in station.shows.sorted(by: { $0.key < $1.key }) { shows.append(show, rule.json) }
            list.append(id, ["own": station.own.json, "shows": .object(shows)])
        }
        object.append("stations", .object(list))
        return .object(object)
    }
}

extension RetentionRule {
    fileprivate init?(json: JSONValue) {
        guard case .object = json else { return nil }
        self.init(
            days: json["days"]?.integerValue.flatMap { Int(exactly: $0) },
            last: json["last"]?.integerValue.flatMap { Int(exactly: $0) }, bytes: json["bytes"]?.integerValue,
            atLeast: json["at_least"]?.integerValue.map { .milliseconds($0) })
    }

    fileprivate var json: JSONValue {
        var object = JSONObject()
        if let days { object.append("days", .integer(Int64(days))) }
        if let last { object.append("last", .integer(Int64(last))) }
        if let bytes { object.append("bytes", .integer(bytes)) }
        if let atLeast { object.append("at_least", .integer(Int64(atLeast / .milliseconds(1)))) }
        return .object(object)
    }
}
