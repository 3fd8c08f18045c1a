// SPDX-License-Identifier: MIT

import Configuration
import Daemon
import Instants
import Words

/// What a daemon has reported since it began, and what else its metrics need, as figures. Pure.
struct DaemonFigures {
    /// The samples of each ``OccurrenceMetric``, by its name.
    private var samples: [String: [PrometheusText.Labels: Double]] = [:]
    /// Whether people were told last that the disk is low or full.
    var isDiskLow = false
    /// Whether recordings wait for room at present.
    var isDiskFull = false
    /// The next broadcast and its beginning; nil if there is none.
    var next: (station: String, show: String, at: WallInstant)?
    /// The free bytes of the recordings' disk; nil if unknown.
    var freeBytes: Int64?

    init() { expect(Configuration()) }

    /// Adds zeros for what a configuration lets expect.
    mutating func expect(_ configuration: Configuration) {
        for metric in OccurrenceMetric.all {
            for labels in metric.expected(configuration) { samples[metric.name, default: [:]][labels, default: 0] += 0 }
        }
    }

    mutating func note(_ occurrence: Occurrence) {
        for metric in OccurrenceMetric.all {
            guard let (value, labels) = metric.change(occurrence) else { continue }
            let old = metric.kind == .gauge ? 0 : samples[metric.name]?[labels] ?? 0
            samples[metric.name, default: [:]][labels] = old + value
        }
    }

    /// The samples of a metric, in the order of their labels.
    func samples(of metric: OccurrenceMetric) -> [PrometheusText.Sample] {
        (samples[metric.name] ?? [:]).map { ($1, $0) }.sorted { $0.labels < $1.labels }
    }
}
