// SPDX-License-Identifier: MIT

/// The findings of many stations by kind.
package struct AuditTable: Sendable, CustomStringConvertible {
    private var stations = 0
    private var gaps = (right: 0, unknown: 0)
    /// What happened at some of the stations.
    package private(set) var histories: [String] = []
    private var examples: [AuditFinding.Kind: [(seed: Int, finding: AuditFinding)]] = [:]

    /// How many stations are named for each kind.
    private static let named = 10

    package init() {}

    package mutating func add(_ audited: AuditedStation, withHistory: Bool = false) {
        stations += 1
        gaps = (gaps.right + audited.gaps.right, gaps.unknown + audited.gaps.unknown)
        if withHistory { histories.append(audited.history) }
        for finding in audited.findings { examples[finding.kind, default: []].append((audited.station.seed, finding)) }
    }

    package mutating func add(_ other: AuditTable) {
        stations += other.stations
        gaps = (gaps.right + other.gaps.right, gaps.unknown + other.gaps.unknown)
        histories += other.histories
        examples.merge(other.examples) { $0 + $1 }
    }

    /// How many findings of a kind there are.
    package subscript(kind: AuditFinding.Kind) -> Int { examples[kind, default: []].count }

    /// Whether everything that was sent is recorded once and in order, or said to be missing or to be repeated.
    package var isTrue: Bool {
        AuditFinding.Kind.allCases.allSatisfy { self[$0] == 0 || $0 == .sentButNotKept || $0 == .toldRepeat }
    }

    package var description: String {
        var lines = [
            "\(stations) stations; of their gaps, \(gaps.right) have the right length, \(gaps.unknown) an unknown one"
        ]
        for kind in AuditFinding.Kind.allCases {
            let found = examples[kind, default: []].sorted { $0.seed < $1.seed }
            let frames = found.reduce(0) { $0 + $1.finding.frames }
            let seeds = Set(found.map(\.seed))
            lines.append("\(kind): \(found.count) in \(seeds.count) stations, \(frames) frames")
            for seed in seeds.sorted().prefix(Self.named) {
                guard let first = found.first(where: { $0.seed == seed }) else { continue }
                lines.append("    seed \(seed): \(first.finding)")
            }
        }
        return lines.joined(separator: "\n")
    }
}
