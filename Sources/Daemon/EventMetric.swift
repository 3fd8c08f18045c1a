// SPDX-License-Identifier: MIT

package import Configuration

/// A metric of stations that events change: a counter to which they add, or a gauge that they set.
package struct EventMetric: Sendable {
    package enum Kind: String, Sendable {
        case counter, gauge
    }

    package let name: String
    package let kind: Kind
    package let help: String
    /// What each event adds or sets.
    package let values: [EventName: Double]
    /// Whether a station of the configuration has the metric from the beginning.
    package let isExpected: @Sendable (StationConfiguration) -> Bool

    /// The metrics of all additions, in the order of the additions.
    package static let all = Daemon.additions.flatMap { $0.metrics }
}
