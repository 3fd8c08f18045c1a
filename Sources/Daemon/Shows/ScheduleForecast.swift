// SPDX-License-Identifier: MIT

package import Instants
import RadioCore

/// The broadcasts of a span, and the disk space that recordings will need in it.
package struct ScheduleForecast: Sendable {
    /// The broadcasts in order of their beginning.
    package let airings: [ShowAiring]
    /// The broadcasts that cannot be recorded.
    package let refused: Set<UseKey>
    /// The IDs of the stations that are recorded all the time.
    package let continuous: [String]
    package let span: Range<WallInstant>
    private let manual: [(station: String, window: Range<WallInstant>)]
    /// The known rates of stations in bytes per second, by station ID.
    private let rates: [String: Double]

    /// `manual` holds the stations and windows of the manual recordings. `rates` holds the bytes per second of each
    /// station whose rate is known.
    package init(
        _ span: Range<WallInstant>, airings: [ShowAiring], refused: Set<UseKey>, continuous: [String],
        manual: [(station: String, window: Range<WallInstant>)] = [], rates: [String: Double]
    ) {
        self.span = span
        self.airings = airings
        self.refused = refused
        self.continuous = continuous
        self.manual = manual
        self.rates = rates
    }

    /// The size of a whole broadcast; nil if the station's rate is unknown.
    package func bytes(of airing: ShowAiring) -> Int64? { bytes(of: airing.station, in: airing.window) }

    /// The size of a station's continuous recording in the span; nil if the station's rate is unknown.
    package func bytes(ofContinuous station: String) -> Int64? { bytes(of: station, in: span) }

    private func bytes(of station: String, in window: Range<WallInstant>) -> Int64? {
        rates[station].map { Int64(saturating: $0 * window.length.inSeconds) }
    }

    /// The stations whose recordings are not included in ``bytes``, because their rates are unknown.
    package var stationsOfUnknownRate: [String] {
        Set(continuous + recorded.map(\.station) + manual.map(\.station)).filter { rates[$0] == nil }.sorted()
    }

    /// The size of all recordings in the span together.
    package var bytes: Int64 { Int64(saturating: flows.reduce(0) { $0 + $1.rate * $1.seconds }) }

    /// When the disk will be full if nothing is deleted; nil if it has room for the whole span. `free` is the number of
    /// free bytes at the beginning of the span.
    package func timeOfFullDisk(free: Int64) -> WallInstant? {
        var (left, rate, now) = (Double(free), 0.0, span.lowerBound)
        let changes =
            flows.flatMap { [($0.window.lowerBound, $0.rate), ($0.window.upperBound, -$0.rate)] }
            .sorted { $0.0 < $1.0 }
        for (time, change) in changes {
            let taken = rate * (time - now).inSeconds
            if taken > left { return now + .seconds(left / rate) }
            left -= taken
            rate += change
            now = time
        }
        return nil
    }

    private var recorded: [ShowAiring] { airings.filter { !refused.contains($0.key) } }

    /// A constant rate of bytes during a window.
    private struct Flow {
        var window: Range<WallInstant>
        var rate: Double
        var seconds: Double { window.length.inSeconds }
    }

    /// One flow for each recording: overlapping shows of one station each have their own files.
    private var flows: [Flow] {
        let windows =
            recorded.map { ($0.station, $0.window) } + manual.map { ($0.station, $0.window) }
            + continuous.map { ($0, span) }
        return windows.compactMap { station, window in
            rates[station].map { Flow(window: window.clamped(to: span), rate: $0) }
        }
    }
}

extension Int64 {
    fileprivate init(saturating value: Double) {
        self = Int64(exactly: value.rounded()) ?? (value > 0 ? .max : 0)
    }
}
