// SPDX-License-Identifier: MIT

/// Writes metrics in Prometheus' text format, version 0.0.4.
package struct PrometheusText {
    package enum Kind: String {
        case counter, gauge
    }

    package typealias Labels = KeyValuePairs<String, String>

    private var families: [Family] = []

    private struct Family {
        var name: String
        var head: String
        var samples: [String] = []
    }

    /// Begins a metric. Its samples follow; a metric without samples is left out.
    package mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        let text = help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        families.append(Family(name: name, head: "# HELP \(name) \(text)\n# TYPE \(name) \(kind.rawValue)\n"))
    }

    /// Adds a sample to the metric begun last.
    package mutating func add(_ value: Double, _ labels: Labels = [:]) {
        guard let name = families.last?.name else { return }
        let list = labels.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        families[families.count - 1].samples.append(
            "\(name)\(list.isEmpty ? "" : "{\(list)}") \(Self.number(value))\n")
    }

    /// The text of all metrics.
    package var text: String {
        families.filter { !$0.samples.isEmpty }.map { $0.head + $0.samples.joined() }.joined()
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
