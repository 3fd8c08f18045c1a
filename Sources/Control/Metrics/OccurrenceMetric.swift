// SPDX-License-Identifier: MIT

import Configuration
import Daemon
import Words

/// A metric that is made of occurrences: a counter to which they add, or a gauge that they set. A new one is an entry
/// in ``all``, or an ``EventMetric`` of what is added to the daemon.
struct OccurrenceMetric: Sendable {
    typealias Labels = PrometheusText.Labels

    let name: String
    let kind: PrometheusText.Kind
    let help: String
    /// The samples of a configuration, which are there from the beginning: a counter that appears with its first event
    /// did not increase in the eyes of Prometheus.
    let expected: @Sendable (Configuration) -> [Labels]
    /// The sample that an occurrence changes, with what is added or set; nil if it changes none.
    let change: @Sendable (Occurrence) -> PrometheusText.Sample?

    init(
        _ name: String, _ kind: PrometheusText.Kind, _ help: String,
        at expected: @escaping @Sendable (Configuration) -> [Labels],
        change: @escaping @Sendable (Occurrence) -> PrometheusText.Sample?
    ) {
        (self.name, self.kind, self.help, self.expected, self.change) = (name, kind, help, expected, change)
    }

    /// A metric of what occurrences add or set, by their names. Its label, if any, is one of their fields.
    init(
        _ name: String, _ kind: PrometheusText.Kind, _ help: String,
        at expected: (@Sendable (Configuration) -> [Labels])? = nil, by label: String? = nil,
        of values: [String: Double]
    ) {
        self.init(name, kind, help, at: expected ?? { _ in label == nil ? [[:]] : [] }) { occurrence in
            values[occurrence.name].map { ($0, label.map { [$0: occurrence.fields[$0] ?? ""] } ?? [:]) }
        }
    }

    /// All of them, in the order in which they are served.
    static let all =
        [
            Self("shows_total", .counter, "Broadcasts that are over, by what became of them.") { configuration in
                configuration.stations.flatMap { station in
                    station.shows.flatMap { show in
                        showResults.values.map { ["station": station.id, "show": show.show.id, "result": $0] }
                    }
                }
            } change: { occurrence in
                // A show whose result is unknown is judged again.
                guard let result = showResults[occurrence.name], let station = occurrence.fields["station"],
                    let show = occurrence.fields["show"]
                else { return nil }
                return (1, ["station": station, "show": show, "result": result])
            }
        ] + EventMetric.all.map { Self($0) } + [
            Self("events_total", .counter, "Events of which hooks may be notified.") { _ in
                EventName.all.map { ["event": $0.rawValue] }
            } change: { occurrence in
                occurrence.told.map { (1, ["event": $0.name.rawValue]) }
            },
            Self(
                "hook_failures_total", .counter,
                "Failed attempts of hooks, except the first for an event that is tried again.",
                at: { $0.hooks.indices.map { ["hook": "\($0 + 1)"] } }, by: "hook", of: ["hook failed": 1]),
            Self(
                "hook_events_dropped_total", .counter, "Events that hooks did not get, because too many waited.",
                at: { _ in [[:]] },
                change: { $0.name == "hooks dropped" ? ($0.fields["count"].flatMap(Double.init) ?? 0, [:]) : nil }),
            Self("reloads_failed_total", .counter, "Configurations that could not be used.", of: ["not configured": 1]),
            Self(
                "reload_failed", .gauge, "Whether the last configuration could not be used.",
                of: ["configured": 0, "not configured": 1]),
        ]

    /// The results of a show, by the names of the occurrences that tell of them.
    private static let showResults = [
        "show recorded": "complete", "show incomplete": "incomplete", EventName.showMissed.words: "missed",
    ]

    /// A metric that an addition to the daemon has.
    private init(_ metric: EventMetric) {
        self.init(metric.name, metric.kind, metric.help) { configuration in
            configuration.stations.filter(metric.isExpected).map { ["station": $0.id] }
        } change: { occurrence in
            occurrence.told.flatMap { told in metric.values[told.name].map { ($0, ["station": told.station ?? ""]) } }
        }
    }
}
