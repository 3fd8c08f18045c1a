// SPDX-License-Identifier: MIT

package import Configuration
package import Instants
package import RadioCore

/// The broadcasts of all shows: which are to be recorded now, and what comes. A value; the zones are an argument.
package struct ShowCalendar: Sendable {
    /// The rules of a zone by its name; nil if there is no such zone.
    package typealias Zones = @Sendable (String) -> (any TimeZoneRules)?

    private let stations: [StationConfiguration]
    private let stationsAtOnce: Int?
    private let zones: Zones
    /// The broadcasts whose recordings overlap ``span``, in order of their beginning.
    private var known: [ShowAiring] = []
    private var span: Range<WallInstant>?

    /// How long before a show its station is connected, so that its air time is known when the show begins.
    package static let lead = Duration.seconds(60)
    /// How long after its end a recording may still wait for audio, and for its files to be finished.
    package static let rest = Duration.seconds(90)
    private static let lookBehind = Duration.seconds(86_400)
    private static let lookAhead = Duration.seconds(2 * 86_400)

    /// `stationsAtOnce`: how many stations may be recorded for shows at one time; nil for no limit.
    package init(_ stations: [StationConfiguration], stationsAtOnce: Int?, zones: @escaping Zones) {
        self.stations = stations.filter { $0.record != .never && !$0.shows.isEmpty }
        self.stationsAtOnce = stationsAtOnce
        self.zones = zones
    }

    /// What is to be recorded, and what would be if there were no limit.
    package struct Present: Hashable, Sendable {
        /// From ``lead`` before the recording until its end.
        package var recorded: [ShowAiring] = []
        /// For ``rest`` after the end.
        package var ending: [ShowAiring] = []
        /// Broadcasts that are not recorded because other shows have a higher priority, or began earlier.
        package var refused: [ShowAiring] = []
    }

    /// The broadcasts of this moment.
    package mutating func present(at now: WallInstant) -> Present {
        look(around: now)
        let present = known.filter { isPresent($0, at: now) }
        var chosen = choose(present.filter { now < $0.window.upperBound })
        chosen.ending = present.filter { $0.window.upperBound <= now }
        return chosen
    }

    /// The next instant at which ``present(at:)`` changes, a day from now at the latest.
    package mutating func nextChange(after now: WallInstant) -> WallInstant {
        look(around: now)
        let changes = known.flatMap {
            [$0.window.lowerBound - Self.lead, $0.window.upperBound, $0.window.upperBound + Self.rest]
        }
        return changes.filter { $0 > now }.min() ?? now + Self.lookBehind
    }

    /// All broadcasts whose recordings overlap a span, in order of their beginning.
    package func airings(overlapping span: Range<WallInstant>) -> [ShowAiring] {
        stations.flatMap { station in
            station.shows.flatMap { configured -> [ShowAiring] in
                guard let zone = zones(configured.show.zone) else { return [] }
                return configured.show.airings(overlapping: span, in: zone).map {
                    ShowAiring(station: station.id, show: configured.show, airing: $0)
                }
            }
        }.sorted { ($0.window.lowerBound, $0.station, $0.show.id) < ($1.window.lowerBound, $1.station, $1.show.id) }
    }

    /// The broadcasts of a list that cannot be recorded, because of others at the same time.
    package func conflicts(in airings: [ShowAiring]) -> [ShowAiring] {
        guard stationsAtOnce != nil else { return [] }
        // Who is recorded changes only when a recording begins.
        var refused: [ShowAiring] = []
        for airing in airings {
            let moment = airing.window.lowerBound
            let present = airings.filter { $0.window.contains(moment) }
            refused += choose(present).refused.filter { !refused.contains($0) }
        }
        return refused
    }

    private func isPresent(_ airing: ShowAiring, at now: WallInstant) -> Bool {
        airing.window.lowerBound - Self.lead <= now && now < airing.window.upperBound + Self.rest
    }

    /// Shows of one station share a connection, so stations are counted.
    private func choose(_ airings: [ShowAiring]) -> Present {
        guard let stationsAtOnce else { return Present(recorded: airings) }
        var chosen: Set<String> = []
        var present = Present()
        let byPriority = airings.sorted {
            ($1.show.priority, $0.window.lowerBound, $0.key.description)
                < ($0.show.priority, $1.window.lowerBound, $1.key.description)
        }
        for airing in byPriority {
            if chosen.contains(airing.station) || chosen.count < stationsAtOnce {
                chosen.insert(airing.station)
                present.recorded.append(airing)
            } else {
                present.refused.append(airing)
            }
        }
        return present
    }

    private mutating func look(around now: WallInstant) {
        if let span, span.lowerBound + Self.lookBehind / 2 <= now, now < span.upperBound - Self.lookBehind { return }
        let wanted = now - Self.lookBehind..<now + Self.lookAhead
        known = airings(overlapping: wanted)
        span = wanted
    }
}
