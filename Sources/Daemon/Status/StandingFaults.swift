// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Storage

/// A fault that lasts: a station that sends no audio, or a recording that cannot be written.
struct StandingFault: Hashable {
    /// The ID of the station.
    var station: String
    /// The purpose of the recording that cannot be written, as text; nil if the station sends no audio.
    var use: String?
    /// To the second, so that the time stays the same although it is computed from the other clock.
    var since: WallInstant
    var cause: String
    /// Whether people were told of the fault, so that they are to be told of its end.
    var isTold: Bool

    init(station: String, use: String? = nil, since: WallInstant, cause: String, isTold: Bool) {
        (self.station, self.use, self.cause, self.isTold) = (station, use, cause, isTold)
        self.since = WallInstant(nanoseconds: since.nanoseconds / 1_000_000_000 * 1_000_000_000)
    }
}

extension StandingFault {
    /// A fault that an earlier run has stored; nil if it is malformed.
    init?(_ json: JSONValue) {
        guard let station = json["station"]?.stringValue, let cause = json["cause"]?.stringValue,
            let since = json["since"]?.timeValue
        else { return nil }
        self.init(
            station: station, use: json["use"]?.stringValue, since: since.instant, cause: cause,
            isTold: json["told"]?.boolValue == true)
    }

    /// The form for the next run.
    var json: JSONValue {
        .object([
            "station": station, "use": use, "since": since, "cause": cause.cut(toBytes: Self.longestCause),
            "told": isTold,
        ])
    }

    private static let longestCause = 200
}

/// The faults that last at a moment. They are stored with each sign of life. So the next run of the daemon can tell the
/// ends of faults that are over by then, and knows why audio was missing when this run ended.
struct StandingFaults: Hashable {
    var faults: [StandingFault] = []
    /// What people were told last of the space on the disk.
    var disk = DiskAlarm.Level.well

    /// The file in the state folder.
    static let fileName = "faults.json"
    /// How many are stored, if the file has room for them.
    private static let most = 2_000

    /// Why audio of a station is missing in a span that these faults may have outlasted; nil if nothing was wrong. The
    /// oldest fault counts: the audio before the others was not missing.
    func cause(of station: String, in span: Range<WallInstant>) -> String? {
        faults.filter { $0.station == station && $0.since < span.upperBound }.min { $0.since < $1.since }?.cause
    }
}

extension StandingFaults {
    /// The faults that an earlier run has stored.
    init(_ json: JSONValue) {
        disk = json["disk"]?.stringValue.flatMap(DiskAlarm.Level.init(rawValue:)) ?? .well
        faults = (json["faults"]?.arrayValue ?? []).prefix(Self.most).compactMap(StandingFault.init)
    }

    /// The form for the next run.
    var json: JSONValue {
        let sorted = faults.sorted { ($0.station, $0.use ?? "") < ($1.station, $1.use ?? "") }
        let entries = sorted.prefix(Self.most).map(\.json)
        return ["disk": .string(disk.rawValue), "faults": .array(StateFile.fitting(entries) { $0 })]
    }
}
