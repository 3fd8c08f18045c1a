// SPDX-License-Identifier: MIT

import Configuration
import Engine
import HTTPServer
import RadioCore
import Stations

extension RunningPlan {
    /// The path at which a station is served.
    static func path(of station: String) -> String { "/\(station)" }

    /// The plan for a configuration. `airings` are the broadcasts to record now. `userAgent` is the user agent with
    /// which fallbacks are requested; stations have user agents of their own.
    init(
        _ configuration: Configuration, airings: [ShowAiring], manual: [ManualRecording], userAgent: String
    ) {
        let airings = Dictionary(grouping: airings, by: \.station)
        let manual = Dictionary(grouping: manual, by: \.station)
        var names: Set<String> = []
        for station in configuration.stations {
            let folder = configuration.storage.recordings
            // Files of two stations with one name would have the same names, so only the first station keeps its name.
            let name = station.name.map { names.insert(SafeName.key($0)).inserted ? $0 : "\($0) (\(station.id))" }
            programmes[station.id] = .station(station.source)
            if station.record == .always {
                let plan = RecordingPlan(
                    folder: folder, files: station.files, stationID: station.id, stationName: name)
                add(UseKey(station.id, .log), of: station, .recording(plan))
            }
            for airing in station.record == .never ? [] : airings[station.id] ?? [] {
                let files = station.shows.first { $0.show.id == airing.show.id }?.files ?? station.files
                var plan = RecordingPlan(
                    folder: folder, files: files, stationID: station.id, stationName: name)
                plan.show = RecordedShow(airing.show, date: airing.airing.date)
                plan.span = .airTime(airing.window)
                add(airing.key, of: station, .recording(plan))
            }
            for recording in manual[station.id] ?? [] {
                var plan = RecordingPlan(
                    folder: folder, files: station.files, stationID: station.id, stationName: name)
                plan.span = .elapsed(recording.span)
                plan.isProtected = true
                add(recording.key, of: station, .recording(plan))
            }
            if let relaying = station.relay { addMount(of: station, relaying, userAgent) }
            if let player = configuration.player, player.station == station.id {
                let plan = PlayerPlan(device: player.device, volume: player.volume)
                add(UseKey(station.id, .player), of: station, .player(plan))
            }
        }
    }

    private mutating func add(_ key: UseKey, of station: StationConfiguration, _ purpose: UsePlan.Purpose) {
        uses[key] = UsePlan(programme: station.id, purpose: purpose)
    }

    private mutating func addMount(
        of station: StationConfiguration, _ relaying: StationConfiguration.Relaying, _ userAgent: String
    ) {
        var mount = MountPlan(path: Self.path(of: station.id), relaying: relaying, name: station.name)
        if let fallback = relaying.fallback {
            let name = "\(station.id) fallback"
            programmes[name] = .fallback(fallback, ahead: relaying.burst, userAgent: userAgent)
            mount.fallback = name
        }
        add(UseKey(station.id, .mount), of: station, .mount(mount))
    }
}
