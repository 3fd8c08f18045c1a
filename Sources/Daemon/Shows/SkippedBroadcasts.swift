// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// The broadcasts that users do not want to be recorded, or not any further, as stored for the next run of the daemon.
enum SkippedBroadcasts {
    /// The name of the file in the state folder.
    static let fileName = "skipped.json"
    /// The maximum number of broadcasts; the file is small.
    static let most = 1_000

    /// Malformed entries are left out.
    static func read(_ json: JSONValue) -> Set<UseKey> {
        Set(
            (json["skipped"]?.arrayValue ?? []).prefix(most).compactMap { entry in
                guard let station = entry["station"]?.stringValue, let show = entry["show"]?.stringValue,
                    let date = entry["date"]?.dateValue
                else { return nil }
                return UseKey(station, .airing(show: show, date: date, time: entry["time"]?.timeOfDayValue))
            })
    }

    static func json(_ broadcasts: Set<UseKey>) -> JSONValue {
        let entries = broadcasts.compactMap { key -> JSONValue? in
            key.broadcast.map {
                .object(["station": key.station, "show": $0.show, "date": $0.date, "time": $0.time])
            }
        }
        return ["skipped": .array(entries.sorted { $0.text() < $1.text() })]
    }
}
