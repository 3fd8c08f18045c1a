// SPDX-License-Identifier: MIT

import Configuration
import Daemon
import Instants
import Words

/// What a daemon has reported since it began, as figures. Pure.
struct DaemonFigures {
    /// A show of a station.
    struct ShowID: Hashable, Comparable {
        var station: String
        var show: String

        static func < (one: ShowID, other: ShowID) -> Bool {
            (one.station, one.show) < (other.station, other.show)
        }
    }

    /// How many broadcasts of a show there were, by what became of them.
    struct ShowCounts {
        var complete = 0
        var incomplete = 0
        var missed = 0
    }

    private(set) var shows: [ShowID: ShowCounts] = [:]
    /// How often the stations that are watched stood still, and whether they do now, by their IDs.
    private(set) var silences: [String: (count: Int, isSilent: Bool)] = [:]
    /// How often hooks were to be notified.
    private(set) var events: [HookEvent.Kind: Int] = [:]
    /// What each ``OccurrenceCounter`` has counted, by its name and the value of its label.
    private var counts: [String: [String: Int]] = [:]
    /// Whether the last attempt to read the configuration failed.
    private(set) var isReloadFailed = false
    /// Whether people were told last that the disk is low or full.
    var isDiskLow = false
    /// Whether recordings wait for room at present. The owner supplies it.
    var isDiskFull = false
    /// The next broadcast and its beginning; nil if there is none. The owner supplies it.
    var next: (show: ShowID, at: WallInstant)?
    /// The free bytes of the recordings' disk; nil if unknown. The owner supplies it.
    var freeBytes: Int64?

    /// Adds zeros for the shows and hooks of a configuration: a counter that appears with its first event did not
    /// increase in the eyes of Prometheus.
    mutating func expect(_ configuration: Configuration) {
        for station in configuration.stations {
            if station.options[.silence] != nil { silences[station.id, default: (0, false)].count += 0 }
            for show in station.shows {
                shows[ShowID(station: station.id, show: show.show.id), default: ShowCounts()].missed += 0
            }
        }
        for hook in configuration.hooks.indices { add(0, to: .hookFailures, "\(hook + 1)") }
    }

    mutating func note(_ occurrence: Occurrence) {
        if let event = occurrence.told { events[event.kind, default: 0] += 1 }
        let fields = occurrence.fields
        for counter in OccurrenceCounter.all where counter.occurrence == occurrence.name {
            let amount = counter.amount.map { fields[$0].flatMap { Int($0) } ?? 0 } ?? 1
            add(amount, to: counter, counter.label.flatMap { fields[$0] } ?? "")
        }
        func count(_ result: WritableKeyPath<ShowCounts, Int>) {
            guard let station = fields["station"], let show = fields["show"] else { return }
            shows[ShowID(station: station, show: show), default: ShowCounts()][keyPath: result] += 1
        }
        switch occurrence.name {
        // A show whose result is unknown is judged again.
        case "show recorded": count(\.complete)
        case "show incomplete": count(\.incomplete)
        case "show missed": count(\.missed)
        case "silence": note(isSilent: true, fields["station"])
        case "sound back": note(isSilent: false, fields["station"])
        case "configured": isReloadFailed = false
        case "not configured": isReloadFailed = true
        case "disk almost full", "disk full": isDiskLow = true
        case "disk well": isDiskLow = false
        default: break
        }
    }

    /// What a counter has counted, by the value of its label.
    func counts(of counter: OccurrenceCounter) -> [(label: String, count: Int)] {
        let all = counts[counter.name] ?? (counter.label == nil ? ["": 0] : [:])
        // Numbers in their order.
        return all.map { ($0.key, $0.value) }.sorted { ($0.0.utf8.count, $0.0) < ($1.0.utf8.count, $1.0) }
    }

    private mutating func add(_ amount: Int, to counter: OccurrenceCounter, _ label: String) {
        counts[counter.name, default: [:]][label, default: 0] += amount
    }

    private mutating func note(isSilent: Bool, _ station: String?) {
        guard let station else { return }
        let count = silences[station]?.count ?? 0
        silences[station] = (count + (isSilent ? 1 : 0), isSilent)
    }
}
