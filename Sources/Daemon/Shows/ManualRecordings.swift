// SPDX-License-Identifier: MIT

import Instants
import RadioCore
package import RadioFormats

/// All manual recordings of a daemon. A value.
package struct ManualRecordings: Hashable, Sendable {
    private(set) var all: [ManualRecording] = []
    private var serial = 0

    /// The file in the state folder that keeps the recordings for the next run.
    package static let fileName = "asked-for.json"
    /// The most recordings that are read from the file.
    private static let most = 1_000
    /// The highest number of a recording that is read from the file.
    private static let mostNumber = 1_000_000_000

    package init() {}

    mutating func add(_ station: String, _ window: Range<WallInstant>) -> ManualRecording {
        serial += 1
        let recording = ManualRecording(number: serial, station: station, window: window)
        all.append(recording)
        return recording
    }

    /// Removes the recording with this number. Returns false if there is none.
    mutating func remove(_ number: Int) -> Bool {
        guard let index = all.firstIndex(where: { $0.number == number }) else { return false }
        all.remove(at: index)
        return true
    }

    mutating func removeAll(where isUnwanted: (ManualRecording) -> Bool) { all.removeAll(where: isUnwanted) }

    func window(of key: UseKey) -> Range<WallInstant>? { all.first { $0.key == key }?.window }
}

extension ManualRecordings {
    /// Reads recordings in the form of ``json``. Invalid ones are left out.
    package init(json: JSONValue) {
        for value in (json["recordings"]?.arrayValue ?? []).prefix(Self.most) {
            guard let number = value["number"]?.integerValue.flatMap({ Int(exactly: $0) }),
                (1...Self.mostNumber).contains(number),
                let station = value["station"]?.stringValue,
                let from = value["from"]?.stringValue.flatMap(CivilTime.init(rfc3339:)),
                let until = value["until"]?.stringValue.flatMap(CivilTime.init(rfc3339:)), from.instant < until.instant,
                !all.contains(where: { $0.number == number })
            else { continue }
            all.append(ManualRecording(number: number, station: station, window: from.instant..<until.instant))
        }
        serial = all.map(\.number).max() ?? 0
    }

    var json: JSONValue {
        let values = all.map { recording -> JSONValue in
            [
                "number": .integer(Int64(recording.number)), "station": .string(recording.station),
                "from": .string(CivilTime(recording.window.lowerBound, utcOffset: 0).rfc3339),
                "until": .string(CivilTime(recording.window.upperBound, utcOffset: 0).rfc3339),
            ]
        }
        return ["recordings": .array(values)]
    }
}
