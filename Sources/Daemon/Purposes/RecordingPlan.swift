// SPDX-License-Identifier: MIT

import Configuration
import Engine
import Instants
import RadioCore
import Recorder

/// A recording that should run, of any purpose.
struct RecordingPlan: UsePlan {
    /// The recordings folder.
    var folder: String
    var files: StationConfiguration.Files
    var stationID: String
    /// The user's name for the station.
    var stationName: String?
    /// The show that is recorded; nil if the recording is not that of a show.
    var show: RecordedShow?
    /// The span to record; nil to record everything.
    var span: RecordingSpan?
    /// The companions that the station's files have beside those of all files.
    var companions: Set<Companion>
    /// Whether retention leaves the recording alone until a user unprotects it.
    var isProtected = false

    /// A recording of a station that goes on until it is ended. `files`: the settings of its files, if they differ from
    /// the station's; their retention rule is left out, so that a change of the rule does not restart the recording.
    init(
        of station: StationConfiguration, _ files: StationConfiguration.Files? = nil, in settings: LoadedConfiguration
    ) {
        folder = settings.configuration.storage.recordings
        self.files = files ?? station.files
        self.files.keep = RetentionRule()
        stationID = station.id
        companions = station.companions
        stationName = settings.fileNames[station.id]
    }

    var recording: RecordingPlan? { self }

    /// When the show begins that is recorded; nil if none is.
    var showStart: WallInstant? {
        if show != nil, case .airTime(let window)? = span { window.lowerBound } else { nil }
    }

    func spec(_ start: UseStart) -> any UseSpec {
        let zone = show.flatMap { start.settings.zones[$0.zone] ?? start.values.zones($0.zone) } ?? start.values.zone
        var settings = RecorderSettings(recording: start.recording, zone: zone)
        settings.continues = start.earlier
        settings.station = stationName
        settings.policy = files.segment
        settings.name = files.name
        settings.titleOffset = files.titleOffset
        settings.isPure = files.isPure
        settings.software = start.values.software
        settings.stationID = stationID
        settings.isProtected = isProtected
        if let show, case .airTime(let window) = span {
            settings.show = Sidecar.Show(
                id: show.id, name: show.name, from: CivilTime(window.lowerBound, in: zone),
                until: CivilTime(window.upperBound, in: zone), date: show.date)
            if let scheduled = start.scheduled, scheduled != window.lowerBound {
                settings.show?.firstFrom = CivilTime(scheduled, in: zone)
            }
        }
        var spec = RecordingSpec(output: .folder(folder), settings: settings)
        (spec.start, spec.follows, spec.span) = (start.place, start.follows, span)
        spec.resumesAt = start.resumesAt
        spec.companions = companions
        spec.waitsForDisk = true
        return spec
    }
}

/// The properties of a show that its recording needs. Changes to other properties do not restart the recording.
struct RecordedShow: Hashable {
    var id: String
    var name: String
    var zone: String
    /// The date of the broadcast.
    var date: CalendarDate

    init(_ show: Show, date: CalendarDate) {
        id = show.id
        name = show.name
        zone = show.zone
        self.date = date
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
