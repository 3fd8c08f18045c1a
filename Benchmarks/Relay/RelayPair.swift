// SPDX-License-Identifier: MIT

/// The results of Aircheck and Icecast with the same load.
struct RelayPair {
    var ours: LoadResult
    var icecast: LoadResult

    // MARK: The table of everything

    static let head = [
        "listeners", "server", "CPU, µs a listener-second", "of its core", "first byte: 50 %, 99 %, last, ms",
        "least rate", "longest pause: 99 %, all, s", "bytes a listener", "closed, refused", "generator",
        "stolen: joining, measuring",
    ]

    func rows(listeners: Int, wantsMetadata: Bool) -> [[String]] {
        let name = grouped(listeners) + (wantsMetadata ? ", metadata" : "")
        return [row(name, "Aircheck", ours), row(name, "Icecast", icecast)]
    }

    private func row(_ name: String, _ server: String, _ result: LoadResult) -> [String] {
        func list(_ values: [Double]) -> String { values.map(decimal).joined(separator: ", ") }
        let first = [result.firstByte.median, result.firstByte.high, result.firstByte.most].map { $0 * 1000 }
        return [
            name, server, decimal(result.processorTime * 1e6), percent(result.serverLoad), list(first),
            percent(result.rate.least), list([result.pause.high, result.pause.most]), decimal(result.memory),
            "\(result.closed), \(result.refused)", percent(result.generatorLoad),
            "\(percent(result.stolenJoining)), \(percent(result.stolenMeasuring))",
        ]
    }

    // MARK: The goals

    /// One row per goal. The worse of the runs with and without metadata counts.
    static func figures(listeners: Int, _ pairs: [RelayPair]) -> [Figure] {
        func figure(
            _ name: String, _ goal: Figure.Goal, _ value: (LoadResult) -> Double,
            judged: ((RelayPair) -> Double)? = nil
        ) -> Figure {
            func text(_ side: (RelayPair) -> LoadResult) -> String {
                pairs.map { decimal(value(side($0))) }.joined(separator: " / ")
            }
            let values = pairs.map { judged?($0) ?? value($0.ours) }
            let isFloor = if case .atLeast = goal { true } else { false }
            // A goal whose value could not be measured is not met.
            let worst = values.contains(where: \.isNaN) ? Double.nan : (isFloor ? values.min() : values.max()) ?? .nan
            return Figure(
                name: "relay, \(grouped(listeners)): \(name)", ours: text(\.ours), peer: "Icecast " + text(\.icecast),
                value: worst, goal: goal)
        }
        return [
            figure(
                "CPU, µs a listener-second", .atMost(0.2), { $0.processorTime * 1e6 },
                judged: { $0.ours.processorTime / $0.icecast.processorTime }),
            figure("first audio byte, 99 %, ms", .atMost(50)) { $0.firstByte.high * 1000 },
            figure("least rate of a listener, %", .atLeast(95)) { $0.rate.least * 100 },
            figure("longest pause of 99 %, s", .atMost(2)) { $0.pause.high },
            figure("memory a listener, bytes", .atMost(1000)) { $0.memory },
            figure("closed or refused", .atMost(0)) { Double($0.closed + $0.refused) },
            figure("frames lost, repeated, foreign", .atMost(0)) { Double($0.flaws) },
        ]
    }
}

/// A number with an English thousands separator: 15,000.
private func grouped(_ number: Int) -> String {
    number < 1000 ? "\(number)" : "\(number / 1000)," + "\(1000 + number % 1000)".dropFirst()
}
