// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Glibc
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// Random stations in virtual time, judged by what was sent on which connection and when.
///
/// `AUDIT_FROM` and `AUDIT_COUNT` choose other seeds than the usual ones. `AUDIT_REPORT=1` prints what was found, and
/// for a single seed also everything that happened; `AUDIT_REPORT=2` prints that for each station with a finding.
struct AuditTests {
    private static let usual = 1..<501
    private static let seeds: Range<Int> = {
        let from = number("AUDIT_FROM") ?? usual.lowerBound
        return from..<from + max(0, number("AUDIT_COUNT") ?? usual.count)
    }()

    /// How many findings of each kind the usual seeds may have; none of the kinds that are not listed. Each is a defect
    /// that is known, so a number may only become smaller.
    private static let ceilings: [AuditFinding.Kind: Int] = [
        .untoldLoss: 1, .falseGap: 5, .wrongLength: 5, .sentButNotKept: 12, .toldRepeat: 9,
    ]

    @Test("What random stations send is recorded once and in order, and what is missing is told") func stations()
        async throws
    {
        let parts = 16
        let table = try await withThrowingTaskGroup(of: AuditTable.self) { group in
            for part in 0..<parts {
                group.addTask {
                    try Self.table(of: stride(from: Self.seeds.lowerBound + part, to: Self.seeds.upperBound, by: parts))
                }
            }
            var table = AuditTable()
            for try await part in group { table.add(part) }
            return table
        }
        Self.report(table)
        guard Self.seeds == Self.usual else { return }
        for kind in AuditFinding.Kind.allCases {
            #expect(table[kind] <= Self.ceilings[kind, default: 0], "\(kind): \(table)")
        }
    }

    private static func table(of seeds: some Sequence<Int>) throws -> AuditTable {
        var table = AuditTable()
        for seed in seeds {
            let audited = try audit(ChanceStation(seed: seed))
            table.add(audited, withHistory: Self.seeds.count == 1 || wanted > 1 && !audited.findings.isEmpty)
        }
        return table
    }

    /// Records a station for its whole time.
    private static func audit(_ chance: ChanceStation) -> AuditedStation {
        let station = VirtualStation(
            hosts: chance.scripts(), urls: chance.urls, seed: UInt64(chance.seed), tolerance: .seconds(5) / 6)
        let reactor = station.reactor
        let (began, date) = (reactor.now, reactor.wallNow)
        var recording = AuditedRecording(chance.heard)
        station.sink.meddle = { event in recording.add(event, at: reactor.now - began) }
        let outcome = station.run(for: ChanceStation.length)
        station.sink.meddle = nil
        return AuditedStation(chance, recording, outcome.log, since: began, on: date)
    }

    private static let wanted = number("AUDIT_REPORT") ?? 0

    private static func report(_ table: AuditTable) {
        guard wanted > 0 else { return }
        var text = (["\(table)"] + table.histories).joined(separator: "\n\n") + "\n"
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while let address = rest.baseAddress, case let count = write(STDERR_FILENO, address, rest.count), count > 0
            {
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            }
        }
    }

    private static func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }
}
