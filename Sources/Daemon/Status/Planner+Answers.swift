// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import Engine
import EventLoop
import Instants
import RadioCore

/// What people ask of the planner. `snapshot` is the engine's snapshot of this moment.
extension Planner {
    /// The status of all configured stations.
    func stations(_ snapshot: EngineSnapshot) -> [DaemonStatus.Station] {
        let running = uses.recordingsByStation
        return settings.configuration.stations.map { station in
            let programme = reconciler.programme(station.id).flatMap { snapshot.programmes[$0] }
            var status = DaemonStatus.Station(
                id: station.id, name: station.name, programme: programme ?? ProgrammeSnapshot())
            if station.relay != nil {
                status.path = MountPurpose.path(of: station.id)
                status.mount = progress(of: UseKey(station.id, .mount), snapshot)
            }
            status.recordings = (running[station.id] ?? []).map { id, key in
                let show = key.broadcast.map { broadcast in
                    station.shows.first { $0.show.id == broadcast.show }?.show.name ?? broadcast.show
                }
                return DaemonStatus.Recording(
                    key: key, id: uses.recording(of: id), show: show, window: window(of: key),
                    snapshot: snapshot.uses[id] as? RecordingSnapshot)
            }.sorted { $0.key.description < $1.key.description }
            let history = histories[station.id]
            (status.gaps, status.missing, status.splices) = (history.gaps, history.missing, history.splices)
            status.failure = history.lastFailure(at: reactor.now)
            return status
        }
    }

    /// The status of the player; nil if none is configured, or if it plays nothing.
    func player(_ snapshot: EngineSnapshot) -> DaemonStatus.Player? {
        guard let player = settings.configuration.player, let station = player.station else { return nil }
        let progress: PlayProgress? = progress(of: UseKey(station, .player), snapshot)
        return DaemonStatus.Player(station: station, volume: Double(player.volume) / 100, snapshot: progress?.player)
    }

    private func progress<Progress: UseSnapshot>(of key: UseKey, _ snapshot: EngineSnapshot) -> Progress? {
        uses.current[key].flatMap { snapshot.uses[$0] as? Progress }
    }

    /// How far the recordings under way have come, by their IDs.
    func progress(_ snapshot: EngineSnapshot) -> [String: RecordingSnapshot] {
        let running = uses.entries.compactMap { id, use in
            use.recording.flatMap { recording in (snapshot.uses[id] as? RecordingSnapshot).map { (recording, $0) } }
        }
        return Dictionary(running) { first, _ in first }
    }

    /// See ``Daemon/askSchedule(_:atMost:rates:_:)``.
    func askSchedule(
        _ span: Range<WallInstant>, atMost most: Int, rates: [String: Double],
        _ answer: @escaping @Sendable (ScheduleForecast) -> Void
    ) {
        let calendar = airings.calendar
        let continuous = settings.configuration.stations.filter { $0.record == .always }.map(\.id)
        let manual = manual.all.map { ($0.station, reactor.readClocks().wall(at: $0.span)) }
        let respond: @Sendable ([String: Double]) -> Void = { past in
            let airings = calendar.airings(overlapping: span, atMost: most)
            // If the list was cut short, the broadcasts after its last one are unknown. The forecast then ends where
            // the last broadcast in the list begins.
            let end = airings.count < most ? span.upperBound : airings.last?.window.lowerBound
            answer(
                ScheduleForecast(
                    span.clamped(to: span.lowerBound..<max(span.lowerBound, end ?? span.upperBound)), airings: airings,
                    refused: calendar.refused(in: airings), continuous: continuous, manual: manual,
                    rates: rates.merging(past) { now, _ in now }))
        }
        guard let catalog = context.catalog else { return respond([:]) }
        catalog.ask { store throws(CatalogError) in
            try store.byteRates()
        } answer: { past in
            respond((try? past.get()) ?? [:])
        }
    }
}
