// SPDX-License-Identifier: MIT

import Configuration
import Engine
import HTTPServer
import Instants
import Playback
package import RadioCore
import Recorder
import Relay
import Stations

/// The values that uses need in addition to their plans.
package struct UseContextValues: Sendable {
    /// The time zone of file names, of segment boundaries and of sidecars, unless a show has another.
    package var zone: any TimeZoneRules
    /// The rules of a zone by its name, for zones that were not loaded with the configuration.
    package var zones: ShowCalendar.Zones
    /// The program's name in tags.
    package var software: String
    /// Makes the ID of a recording.
    package var recordingID: @Sendable () -> String

    package init(
        zone: any TimeZoneRules, zones: @escaping ShowCalendar.Zones, software: String,
        recordingID: @escaping @Sendable () -> String
    ) {
        self.zone = zone
        self.zones = zones
        self.software = software
        self.recordingID = recordingID
    }
}

extension ProgrammeSource {
    /// The programme for the engine. Throws if a fallback is neither an address nor a playable file.
    /// `choice`: the entry of a list with which a station continues.
    func spec(seed: UInt64, choice: ListChoice?) throws(SettingFault) -> ProgrammeSpec {
        switch self {
        case .station(var settings):
            (settings.seed, settings.choice) = (seed, choice)
            // A station in a configuration is always a live station, even if a server announces a length.
            settings.allowsFinite = false
            return .station(settings)
        case .fallback(let source, let ahead, let userAgent):
            return try ProgrammeSpec(parsingFallback: source, ahead: ahead) { urls throws(SettingFault) in
                try StationSettings(parsing: urls, userAgent: userAgent, seed: seed)
            }
        }
    }
}

extension UsePlan {
    /// The use for the engine. `recording`: the ID of a recording; `earlier`: that of the recording that it continues.
    /// `scheduled`: the first start of its broadcast; nil without a show. `start`: where the recording begins, in its
    /// span if it has one. `follows`: whether it begins where another use for the same purpose ends. `fallback`: the
    /// programme of a mount's fallback. `rules`: who may listen.
    func spec(
        _ values: UseContextValues, _ zones: [String: any TimeZoneRules], recording: String, earlier: String?,
        scheduled: WallInstant?, start: JoinPlace, follows: Bool, fallback: ProgrammeID?, rules: HTTPRouteRules
    ) -> any UseSpec {
        switch purpose {
        case .recording(let plan):
            plan.spec(
                values, zones, recording: recording, earlier: earlier, scheduled: scheduled, start: start,
                follows: follows)
        case .mount(let plan): plan.spec(fallback: fallback, rules: rules)
        case .player(let plan): plan.spec
        }
    }
}

extension UsePlan {
    /// When the show begins that is recorded; nil if none is.
    var showStart: WallInstant? {
        guard case .recording(let plan) = purpose, plan.show != nil, case .airTime(let window)? = plan.span else {
            return nil
        }
        return window.lowerBound
    }
}

extension RecordingPlan {
    fileprivate func spec(
        _ values: UseContextValues, _ zones: [String: any TimeZoneRules], recording: String, earlier: String?,
        scheduled: WallInstant?, start: JoinPlace, follows: Bool
    ) -> RecordingSpec {
        let zone = show.flatMap { zones[$0.zone] ?? values.zones($0.zone) } ?? values.zone
        var settings = RecorderSettings(recording: recording, zone: zone)
        settings.continues = earlier
        settings.station = stationName
        settings.policy = files.segment
        settings.name = files.name
        settings.titleOffset = files.titleOffset
        settings.isPure = files.isPure
        settings.software = values.software
        settings.stationID = stationID
        settings.isProtected = isProtected
        if let show, case .airTime(let window) = span {
            settings.show = Sidecar.Show(
                id: show.id, name: show.name, from: CivilTime(window.lowerBound, in: zone),
                until: CivilTime(window.upperBound, in: zone), date: show.date)
            if let scheduled, scheduled != window.lowerBound {
                settings.show?.firstFrom = CivilTime(scheduled, in: zone)
            }
        }
        var spec = RecordingSpec(output: .folder(folder), settings: settings)
        (spec.start, spec.follows, spec.span) = (start, follows, span)
        spec.waitsForDisk = true
        return spec
    }
}

extension MountPlan {
    fileprivate func spec(fallback: ProgrammeID?, rules: HTTPRouteRules) -> MountSpec {
        var spec = MountSpec(path: path)
        spec.settings.isOnDemand = relaying.isOnDemand
        spec.settings.burst = relaying.burst
        spec.settings.longestOutage = relaying.longestOutage
        spec.settings.hasFiller = relaying.hasFiller
        spec.settings.listeners = relaying.mostListeners
        spec.settings.fields.name = name
        // The station's ID.
        spec.settings.unnamed = String(path.dropFirst())
        spec.settings.rules = MountRequest.streamRules(rules)
        spec.fallback = fallback
        return spec
    }
}

extension PlayerPlan {
    fileprivate var spec: PlaySpec {
        var settings = PlayerSettings()
        settings.device = device
        settings.volume = Double(volume) / 100
        return PlaySpec(settings: settings)
    }
}

extension StationConfiguration.Files {
    /// The template for the names of files. `isShow`: whether the files are those of a show or those of the station's
    /// other recordings.
    fileprivate func name(isShow: Bool) -> NameTemplate { name ?? .standard(for: segment, ofShow: isShow) }
}

extension Configuration {
    /// The number of nested folders in the names of recordings.
    var folderDepth: Int {
        stations.flatMap { station in
            [station.files.name(isShow: false)] + station.shows.map { $0.files.name(isShow: true) }
        }.map(\.depth).max() ?? 0
    }
}
