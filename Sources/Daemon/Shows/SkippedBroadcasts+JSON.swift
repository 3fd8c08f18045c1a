// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// The skipped broadcasts as stored for the next run of the daemon.
extension Set<SkippedBroadcast> {
    /// The name of the file in the state folder.
    static var fileName: String { "skipped.json" }
    /// The maximum number of broadcasts; the file is small.
    static var most: Int { 1_000 }

    /// Malformed entries are left out.
    init(json: JSONValue) {
        self = Set(
            (json["skipped"]?.arrayValue ?? []).prefix(Self.most).compactMap { entry in
                guard let station = entry["station"]?.stringValue, let show = entry["show"]?.stringValue,
                    let date = entry["date"]?.stringValue.flatMap({ try? CalendarDate(parsing: $0) })
                else { return nil }
                let time = entry["time"]?.stringValue.flatMap { try? TimeOfDay(parsing: $0) }
                return SkippedBroadcast(station: station, show: show, date: date, time: time)
            })
    }

    var json: JSONValue {
        let entries = self.map { skipped -> JSONValue in
            [
                "station": .string(skipped.station), "show": .string(skipped.show), "date": .string("\(skipped.date)"),
                "time": skipped.time.map { .string($0.description) } ?? .null,
            ]
        }
        return ["skipped": .array(entries.sorted { $0.text() < $1.text() })]
    }
}
