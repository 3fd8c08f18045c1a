// SPDX-License-Identifier: MIT

package import Configuration
package import Instants
package import RadioCore

/// The broadcasts of all shows, now and in the future. The rules of time zones are an argument.
package struct ShowCalendar: Sendable {
    /// The rules of a zone by its name; nil if there is no such zone.
    package typealias Zones = @Sendable (String) -> (any TimeZoneRules)?

    private let stations: [StationConfiguration]
    private let stationsAtOnce: Int?
    private let zones: Zones
    private let skipped: Set<UseKey>
    /// The broadcasts whose recordings overlap ``span``, in order of their beginning.
    private var known: [ShowAiring] = []
    private var span: Range<WallInstant>?

    /// How long before a show its station is connected, so that its air time is known when the show begins.
    package static let lead = Duration.seconds(60)
    /// How long after its end a recording usually continues at most, to wait for audio and to finish its files.
    package static let rest = Duration.seconds(90)
    /// How long it may continue. A station in HLS may be minutes behind the air.
    private static let longestRest = Duration.seconds(180)
    private static let lookBehind = Duration.seconds(86_400)
    private static let lookAhead = Duration.seconds(2 * 86_400)

    /// `stationsAtOnce` is the number of stations that may be recorded for shows at one time; nil for no limit.
    /// `skipped`: broadcasts that users do not want.
    package init(
        _ stations: [StationConfiguration], stationsAtOnce: Int?, skipped: Set<UseKey> = [],
        zones: @escaping Zones
    ) {
        self.stations = stations.filter { $0.record != .never && !$0.shows.isEmpty }
        self.stationsAtOnce = stationsAtOnce
        self.skipped = skipped
        self.zones = zones
    }

    /// The broadcasts to record, and those that the limit excludes.
    package struct Present: Hashable, Sendable {
        /// Broadcasts from ``lead`` before the beginning of their recording until its end.
        package var recorded: [ShowAiring] = []
        /// Broadcasts whose recording ended less than ``longestRest`` ago.
        package var ending: [ShowAiring] = []
        /// Broadcasts that are not recorded because other shows have a higher priority, or began earlier.
        package var refused: [ShowAiring] = []
    }

    /// The broadcasts at this moment.
    package mutating func present(at now: WallInstant) -> Present {
        look(around: now)
        var present = choose(known.filter { $0.window.contains(now) })
        // A show's station is connected some time before the show's recording begins. Until then, the show does not
        // count towards the limit of stations that are recorded at once.
        present.recorded += known.filter { isComing($0, at: now) && isChosen($0) }
        present.ending = known.filter { $0.window.upperBound <= now && now < $0.window.upperBound + Self.longestRest }
        return present
    }

    /// The broadcasts whose recordings contain this moment, even if they are refused.
    mutating func airings(at now: WallInstant) -> [ShowAiring] {
        look(around: now)
        return known.filter { $0.window.contains(now) }
    }

    /// The broadcast with this key, if it is not long ago and not far in the future. Call ``present(at:)`` before.
    subscript(key: UseKey) -> ShowAiring? { known.first { $0.key == key } }

    /// The next instant at which ``present(at:)`` changes, a day from now at the latest.
    package mutating func nextChange(after now: WallInstant) -> WallInstant {
        look(around: now)
        let changes = known.flatMap {
            [
                $0.window.lowerBound - Self.lead, $0.window.lowerBound, $0.window.upperBound,
                $0.window.upperBound + Self.longestRest,
            ]
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
                }.filter { !skipped.contains($0.key) }
            }
        }.sorted { ($0.window.lowerBound, $0.station, $0.show.id) < ($1.window.lowerBound, $1.station, $1.show.id) }
    }

    /// The first broadcasts whose recordings overlap a span, in order of their beginning.
    package func airings(overlapping span: Range<WallInstant>, atMost most: Int) -> [ShowAiring] {
        var found: [ShowAiring] = []
        var day = span.lowerBound..<min(span.lowerBound + Self.lookBehind, span.upperBound)
        while !day.isEmpty, found.count < most {
            found += airings(overlapping: day).filter {
                day.lowerBound == span.lowerBound || day.contains($0.window.lowerBound)
            }
            day = day.upperBound..<min(day.upperBound + Self.lookBehind, span.upperBound)
        }
        return Array(found.prefix(most))
    }

    /// All broadcasts whose recordings ended in a span, in order of their beginning.
    func airings(endedIn span: Range<WallInstant>) -> [ShowAiring] {
        airings(overlapping: span).filter { span.contains($0.window.upperBound) }
    }

    /// The broadcasts that cannot be recorded because of other broadcasts at the same time. `airings` must be in order
    /// of their beginning.
    package func refused(in airings: [ShowAiring]) -> Set<UseKey> {
        guard stationsAtOnce != nil else { return [] }
        var refused: Set<UseKey> = []
        var present: [ShowAiring] = []
        var rest = airings[...]
        // The choice changes when a recording begins, but also when a recording ends. A show may have been recorded
        // only because another recording used the same station. When that recording ends, the show must have precedence
        // by itself.
        for moment in Set(airings.flatMap { [$0.window.lowerBound, $0.window.upperBound] }).sorted() {
            present.removeAll { $0.window.upperBound <= moment }
            while let next = rest.first, next.window.lowerBound <= moment { present.append(rest.removeFirst()) }
            refused.formUnion(choose(present).refused.map(\.key))
        }
        return refused
    }

    private func isComing(_ airing: ShowAiring, at now: WallInstant) -> Bool {
        airing.window.lowerBound - Self.lead <= now && now < airing.window.lowerBound
    }

    /// Whether a broadcast is recorded when it begins.
    private func isChosen(_ airing: ShowAiring) -> Bool {
        guard stationsAtOnce != nil else { return true }
        return choose(known.filter { $0.window.contains(airing.window.lowerBound) }).recorded.contains(airing)
    }

    /// Chooses the broadcasts to record. Counts stations, because shows of one station share a connection.
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
