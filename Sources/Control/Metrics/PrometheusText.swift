// SPDX-License-Identifier: MIT

import Daemon

/// Writes metrics in Prometheus' text format, version 0.0.4.
struct PrometheusText {
    typealias Kind = EventMetric.Kind

    /// The labels of a sample, as they are written.
    struct Labels: Hashable, Comparable, ExpressibleByDictionaryLiteral {
        let text: String

        init(dictionaryLiteral labels: (String, String)...) {
            text = labels.map { "\($0)=\"\(PrometheusText.escaped($1))\"" }.joined(separator: ",")
        }

        static func < (one: Self, other: Self) -> Bool { one.text < other.text }
    }

    typealias Sample = (value: Double, labels: Labels)

    /// The text of all metrics so far.
    private(set) var text = ""

    /// Adds a metric with its samples. A metric without samples is left out.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        guard !samples.isEmpty else { return }
        let help = help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        text += "# HELP aircheck_\(name) \(help)\n# TYPE aircheck_\(name) \(kind.rawValue)\n"
        for (value, labels) in samples {
            text += "aircheck_\(name)\(labels == [:] ? "" : "{\(labels.text)}") \(Self.number(value))\n"
        }
    }

    /// Adds a metric with one sample, or with none.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double?, _ labels: Labels = [:]) {
        add(name, kind, help, value.map { [($0, labels)] } ?? [])
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }
}
