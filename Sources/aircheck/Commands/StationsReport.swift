// SPDX-License-Identifier: MIT

import Engine
import RadioCore
import RadioFormats

/// The object that `record --json` prints for several stations. Its members are fixed; new members may be added.
enum StationsReport {
    /// Each station's report begins with the station's name.
    static func object(_ stations: [(name: String, report: JSONObject)], _ failure: Failure?) -> JSONValue {
        var report = JSONObject()
        let stations = stations.map { name, own -> JSONValue in
            var station = JSONObject()
            station.append("name", .string(name))
            for member in own.members { station.append(member.name, member.value) }
            return .object(station)
        }
        report.append("stations", .array(stations))
        report.append("error", failure.map(ReportJSON.error) ?? .null)
        return .object(report)
    }
}
