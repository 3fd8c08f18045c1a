// SPDX-License-Identifier: MIT

package import Configuration
package import Engine
package import RadioCore
package import Stations

/// Everything that should run at a moment, according to a configuration and its shows. Two plans can be compared, and
/// the ``Reconciler`` turns their differences into commands.
package struct RunningPlan: Hashable, Sendable {
    /// The sources of all programmes, by the names that ``UsePlan/programme`` refers to.
    package var programmes: [String: ProgrammeSource] = [:]
    package var uses: [UseKey: UsePlan] = [:]
    /// The recordings among the uses whose span is over. They finish their files, but are not begun, and if they have
    /// changed, they end at once.
    package var over: Set<UseKey> = []

    package init() {}
}

/// Where a programme comes from.
package enum ProgrammeSource: Hashable, Sendable {
    case station(StationSettings)
    /// The fallback that replaces a station: an address, or an absolute path. `ahead`: how far ahead of real time it is
    /// delivered.
    case fallback(String, ahead: Duration, userAgent: String)
}

/// The purpose of a use. The key stays the same when the configuration of the use changes.
package struct UseKey: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Continuous recording.
        case log
        /// A broadcast of a show. `time` is nil for the first broadcast of the date.
        case airing(show: String, date: CalendarDate, time: TimeOfDay? = nil)
        /// A manual recording.
        case manual(Int)
        case mount
        case player
    }

    /// The ID of the station.
    package var station: String
    package var kind: Kind

    package init(_ station: String, _ kind: Kind) {
        self.station = station
        self.kind = kind
    }

    /// The date of the broadcast; nil if the use is not a show's recording.
    var date: CalendarDate? {
        if case .airing(_, let date, _) = kind { date } else { nil }
    }
}

/// A use that should run.
package struct UsePlan: Hashable, Sendable {
    /// The name of its programme in ``RunningPlan/programmes``.
    package var programme: String
    package var purpose: Purpose

    package enum Purpose: Hashable, Sendable {
        case recording(RecordingPlan)
        case mount(MountPlan)
        case player(PlayerPlan)
    }

    package init(programme: String, purpose: Purpose) {
        self.programme = programme
        self.purpose = purpose
    }

    /// What only one use at a time can have: the path of a mount. Nil if the use is not a mount.
    var exclusive: String? {
        if case .mount(let mount) = purpose { mount.path } else { nil }
    }

    /// Whether the use needs its programme only while somebody listens.
    var isOnDemand: Bool {
        if case .mount(let mount) = purpose { mount.relaying.isOnDemand } else { false }
    }

    /// The span to record; nil for a recording without an end, and for other uses.
    var span: RecordingSpan? {
        if case .recording(let recording) = purpose { recording.span } else { nil }
    }
}

/// A recording that should run.
package struct RecordingPlan: Hashable, Sendable {
    /// The recordings folder.
    package var folder: String
    package var files: StationConfiguration.Files
    package var stationID: String
    /// The user's name for the station.
    package var stationName: String?
    /// The show that is recorded; nil if the recording is not that of a show.
    package var show: RecordedShow?
    /// The span to record; nil to record everything.
    package var span: RecordingSpan?
    /// Whether retention leaves the recording alone until a user unprotects it.
    package var isProtected = false

    /// The retention rule of `files` is left out, so that a change of the rule does not restart the recording.
    package init(folder: String, files: StationConfiguration.Files, stationID: String, stationName: String?) {
        self.folder = folder
        self.files = files
        self.files.keep = RetentionRule()
        self.stationID = stationID
        self.stationName = stationName
    }
}

/// The properties of a show that its recording needs. Changes to other properties do not restart the recording.
package struct RecordedShow: Hashable, Sendable {
    package var id: String
    package var name: String
    package var zone: String
    /// The date of the broadcast.
    package var date: CalendarDate

    init(_ show: Show, date: CalendarDate) {
        id = show.id
        name = show.name
        zone = show.zone
        self.date = date
    }
}

/// A mount that should run.
package struct MountPlan: Hashable, Sendable {
    package var path: String
    package var relaying: StationConfiguration.Relaying
    package var name: String?
    /// The name of the fallback in ``RunningPlan/programmes``.
    package var fallback: String?

    package init(path: String, relaying: StationConfiguration.Relaying, name: String?) {
        self.path = path
        self.relaying = relaying
        self.name = name
    }
}

/// A player that should run.
package struct PlayerPlan: Hashable, Sendable {
    package var device: String?
    package var volume: Int

    package init(device: String?, volume: Int) {
        self.device = device
        self.volume = volume
    }
}
