// SPDX-License-Identifier: MIT

import Engine
import HTTPServer
import Instants
import RadioCore
import Recorder
import Stations

/// A purpose for which the daemon uses stations: it says which uses should run, and follows them. Each purpose has one
/// file in this folder, with its ``UseKey/Kind``, its plan and its events. A new one is an ``Addition``.
protocol Purpose {
    /// Uses a configuration from now on.
    func use(_ settings: LoadedConfiguration)
    /// Adds the uses that should run as long as a configuration applies. A purpose implements this function or the next
    /// one.
    func add(to plan: inout RunningPlan, for settings: LoadedConfiguration)
    /// Adds the uses that should run at a moment.
    func add(to plan: inout RunningPlan, at moment: PlanMoment)
    /// When the uses that should run change next; nil if only a configuration changes them.
    var nextChange: MonotonicInstant? { get }
    /// The span of air time of a use; nil for a use without an end, and for uses for other purposes.
    func window(of key: UseKey) -> Range<WallInstant>?
    /// Receives the first file of a recording, whose ID is `recording`. `start` is the air time of its first frame.
    func began(_ key: UseKey, _ recording: String, at start: WallInstant)
    /// Receives the end of a recording.
    func ended(_ key: UseKey, _ recording: String, _ report: RecordingReport)
    /// Reports what is over and whose uses have ended. `knowsFiles`: whether the catalog knows the files of earlier
    /// runs.
    func settle(isRunning: (UseKey) -> Bool, knowsFiles: Bool)
}

extension Purpose {
    func use(_ settings: LoadedConfiguration) {}
    func add(to plan: inout RunningPlan, for settings: LoadedConfiguration) {}
    func add(to plan: inout RunningPlan, at moment: PlanMoment) {}
    var nextChange: MonotonicInstant? { nil }
    func window(of key: UseKey) -> Range<WallInstant>? { nil }
    func began(_ key: UseKey, _ recording: String, at start: WallInstant) {}
    func ended(_ key: UseKey, _ recording: String, _ report: RecordingReport) {}
    func settle(isRunning: (UseKey) -> Bool, knowsFiles: Bool) {}
}

/// A use that should run, as a value that makes the use for the engine.
protocol UsePlan: Hashable, Sendable {
    /// The programme that the use needs in addition to its station, by its name in ``RunningPlan/programmes``.
    var otherProgramme: String? { get }
    /// What only one use at a time can have: the path of a mount.
    var exclusive: String? { get }
    /// Whether the use needs its programme only while somebody listens.
    var isOnDemand: Bool { get }
    /// The plan itself if the use is a recording.
    var recording: RecordingPlan? { get }
    /// The use for the engine.
    func spec(_ start: UseStart) -> any UseSpec
    /// The request that gives a running use other access rules; nil if nobody requests anything of it.
    func request(_ rules: HTTPRouteRules) -> (any UseRequest)?
}

extension UsePlan {
    var otherProgramme: String? { nil }
    var exclusive: String? { nil }
    var isOnDemand: Bool { false }
    var recording: RecordingPlan? { nil }
    func request(_ rules: HTTPRouteRules) -> (any UseRequest)? { nil }

    fileprivate func equals(_ other: any UsePlan) -> Bool { other as? Self == self }
}

/// The plan of a use for any purpose.
struct AnyUsePlan: Hashable, Sendable {
    let plan: any UsePlan

    init(_ plan: any UsePlan) { self.plan = plan }

    static func == (first: Self, second: Self) -> Bool { first.plan.equals(second.plan) }

    func hash(into hasher: inout Hasher) { plan.hash(into: &hasher) }
}

/// What a use needs in addition to its plan when it begins.
struct UseStart {
    var values: UseContextValues
    /// The zones that the configuration names, and who may listen.
    var settings: LoadedConfiguration
    /// The programme of ``UsePlan/otherProgramme``.
    var other: ProgrammeID?
    /// Whether the use begins where another use for the same purpose ends.
    var follows: Bool
    /// The ID of a recording.
    var recording = ""
    /// The ID of the recording that it continues.
    var earlier: String?
    /// The first start of a recording's broadcast; nil without a show.
    var scheduled: WallInstant?
    /// Where a recording begins, in its span if it has one.
    var place = JoinPlace.live
    /// See ``RecordingSpec/resumesAt``.
    var resumesAt: WallInstant?
}
