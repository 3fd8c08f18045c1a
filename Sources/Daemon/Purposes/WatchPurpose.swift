// SPDX-License-Identifier: MIT

import Configuration
import Engine
import RadioCore
import RadioFormats

extension UseKey.Kind {
    package static let watch = Self("watch", rank: 4)
}

extension EventName {
    /// A station is silent, or stands still in one tone.
    package static let silence = Self("silence")
    package static let soundBack = Self("sound-back", isGood: true)
}

/// Watches for stations that are silent, or stand still in one tone.
///
/// The silences that people were told of, and not yet of their ends, are stored, so that each of them has its end told
/// by the next run of the daemon if this one cannot do so.
final class WatchPurpose: Purpose, Addition {
    private let context: DaemonContext
    /// What is heard instead of a programme, by the IDs of the stations.
    private var running: [String: Stretch.Kind] = [:]
    /// What an earlier run has left.
    private var earlier: [String: Stretch.Kind] = [:]

    /// The file in the state folder.
    static let fileName = "silences.json"

    static let events: [EventName] = [.silence, .soundBack]

    static let metrics = [
        EventMetric(
            name: "station_silent", kind: .gauge, help: "Whether a station is silent, or sends one tone.",
            values: [.silence: 1, .soundBack: 0], isExpected: isWatched),
        EventMetric(
            name: "station_silences_total", kind: .counter, help: "How often a station was silent, or sent one tone.",
            values: [.silence: 1], isExpected: isWatched),
    ]

    private static let isWatched: @Sendable (StationConfiguration) -> Bool = { $0.options[.silence] != nil }

    init(_ context: DaemonContext) { self.context = context }

    func add(to plan: inout RunningPlan, for settings: LoadedConfiguration) {
        for station in settings.configuration.stations {
            guard let longest = station.options[.silence] else { continue }
            plan.add(UseKey(station.id, .watch), WatchPlan(longest: longest))
        }
    }

    // MARK: What people were told

    func resume(_ earlier: inout EarlierRun) {
        guard case .object(let stations) = earlier.read(Self.fileName) else { return }
        for (station, kind) in stations.members.map({ ($0.name, $0.value.stringValue) }) {
            self.earlier[station] = kind.flatMap(Stretch.Kind.init(rawValue:))
        }
    }

    /// Tells the ends that are left, now that the names of stations are known.
    func use(_ settings: LoadedConfiguration) {
        guard !earlier.isEmpty else { return }
        for (station, kind) in earlier.sorted(by: { $0.key < $1.key }) {
            context.tell(.use(UseKey(station, .watch), .other(WatchReport.unwatched(kind))))
        }
        earlier = [:]
        store()
    }

    func hear(_ notice: UseNotice, of use: UseID, _ key: UseKey) {
        guard case .other(let report) = notice, let report = report as? WatchReport else { return }
        switch report {
        case .still(let kind, _): running[key.station] = kind
        case .sound, .unwatched: running[key.station] = nil
        case .cannotHear, .hearsAgain: return
        }
        store()
    }

    private func store() {
        let members = running.sorted { $0.key < $1.key }.map {
            JSONObject.Member(name: $0.key, value: .string($0.value.rawValue))
        }
        context.store(.object(JSONObject(distinct: members)), in: Self.fileName)
    }
}

/// A watch that should run.
struct WatchPlan: UsePlan {
    var longest: Duration

    /// A watch does not need its station to run.
    var isOnDemand: Bool { true }

    func spec(_ start: UseStart) -> any UseSpec { WatchSpec(longest: longest) }
}
