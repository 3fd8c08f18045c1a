// SPDX-License-Identifier: MIT

import Configuration
import Engine
import Instants
import RadioCore
import Stations

/// Everything that should run at a moment. The ``Purpose``s make it, and the ``Reconciler`` turns the difference
/// between two plans into commands.
struct RunningPlan: Hashable {
    /// The sources of all programmes by their names. The name of a station is its ID.
    var programmes: [String: ProgrammeSource] = [:]
    var uses: [UseKey: AnyUsePlan] = [:]
    /// The recordings among the uses whose span is over. They finish their files, but are not begun, and if they have
    /// changed, they end at once.
    var over: Set<UseKey> = []

    /// Creates a plan that uses none of the stations.
    init(_ stations: [StationConfiguration] = []) {
        programmes = Dictionary(stations.map { ($0.id, .station($0.source)) }) { first, _ in first }
    }

    mutating func add(_ key: UseKey, _ plan: some UsePlan, isOver: Bool = false) {
        uses[key] = AnyUsePlan(plan)
        if isOver { over.insert(key) }
    }
}

/// The moment for which a plan is made.
struct PlanMoment {
    let settings: LoadedConfiguration
    let clocks: ClockReading
    /// Whether a use for a purpose runs that is not ending.
    let isInUse: (UseKey) -> Bool
}

/// Where a programme comes from.
enum ProgrammeSource: Hashable {
    case station(StationSettings)
    /// The fallback that replaces a station: an address, or an absolute path. `ahead`: how far ahead of real time it is
    /// delivered.
    case fallback(String, ahead: Duration)

    /// The programme for the engine. Throws if a fallback is neither an address nor a playable file. `choice`: the
    /// entry of a list with which a station continues. `userAgent`: that of fallbacks.
    func spec(seed: UInt64, choice: ListChoice?, _ userAgent: String) throws(SettingFault) -> ProgrammeSpec {
        switch self {
        case .station(var settings):
            (settings.seed, settings.choice) = (seed, choice)
            // A station in a configuration is always a live station, even if a server announces a length.
            settings.allowsFinite = false
            return .station(settings)
        case .fallback(let source, let ahead):
            return try ProgrammeSpec(parsingFallback: source, ahead: ahead) { urls throws(SettingFault) in
                try StationSettings(parsing: urls, userAgent: userAgent, seed: seed)
            }
        }
    }
}
