// SPDX-License-Identifier: MIT

import Configuration
import Daemon
import Instants
import RadioCore

/// What a daemon has reported since it began, as figures. Pure.
struct DaemonFigures {
    /// A show of a station.
    struct ShowKey: Hashable, Comparable {
        var station: String
        var show: String

        static func < (one: ShowKey, other: ShowKey) -> Bool {
            (one.station, one.show) < (other.station, other.show)
        }
    }

    /// How many broadcasts of a show there were, by what became of them.
    struct ShowCounts {
        var complete = 0
        var incomplete = 0
        var missed = 0
    }

    private(set) var shows: [ShowKey: ShowCounts] = [:]
    /// Reported failures by the number of the hook, from 1: see ``HookNotice/failed(hook:_:why:)``.
    private(set) var hookFailures: [Int: Int] = [:]
    private(set) var droppedHookEvents = 0
    private(set) var failedReloads = 0
    /// Whether the last attempt to read the configuration failed.
    private(set) var isReloadFailed = false
    /// The level that was told last.
    private var diskLevel = DiskAlarm.Level.well
    var isDiskLow: Bool { diskLevel != .well }
    /// Whether recordings wait for room at present. The owner supplies it.
    var isDiskFull = false
    /// The next broadcast and its beginning; nil if there is none. The owner supplies it.
    var next: (show: ShowKey, at: WallInstant)?
    /// The free bytes of the recordings' disk; nil if unknown. The owner supplies it.
    var freeBytes: Int64?

    /// Adds zeros for the shows and hooks of a configuration: a counter that appears with its first event did not
    /// increase in the eyes of Prometheus.
    mutating func expect(_ configuration: Configuration) {
        for station in configuration.stations {
            for show in station.shows {
                shows[ShowKey(station: station.id, show: show.show.id), default: ShowCounts()].missed += 0
            }
        }
        for hook in configuration.hooks.indices { hookFailures[hook + 1, default: 0] += 0 }
    }

    mutating func note(_ event: DaemonEvent) {
        switch event {
        case .showEnded(let airing, let result):
            let key = ShowKey(station: airing.station, show: airing.show.id)
            switch result.verdict {
            case .complete: shows[key, default: ShowCounts()].complete += 1
            case .incomplete: shows[key, default: ShowCounts()].incomplete += 1
            case .missed: shows[key, default: ShowCounts()].missed += 1
            // The show is judged again.
            case .unknown: break
            }
        case .hook(.failed(let hook, _, _)): hookFailures[hook + 1, default: 0] += 1
        case .hook(.dropped(let count)): droppedHookEvents += count
        case .configured: isReloadFailed = false
        case .notConfigured:
            failedReloads += 1
            isReloadFailed = true
        case .disk(let level, _): diskLevel = level
        default: break
        }
    }
}
