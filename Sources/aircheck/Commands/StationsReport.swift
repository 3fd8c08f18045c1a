// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// The object that `record --json` prints for several stations. Its members are fixed; new members may be added.
enum StationsReport {
    /// Each station's report begins with the station's name.
    static func object(_ stations: [(name: String, report: JSONObject)], _ failure: Failure?) -> JSONValue {
        let stations = stations.map { name, own in
            JSONObject(distinct: [JSONObject.Member(name: "name", value: .string(name))] + own.members)
        }
        return .object(["stations": stations, "error": failure.map(ReportJSON.error)])
    }
}
