// SPDX-License-Identifier: MIT

import Instants
import Testing

@testable import Recorder

/// When a disk counts as hanging.
struct DiskWatchTests {
    /// What is reported at each time `at`, when the oldest data has waited for `waited`. Both are in seconds.
    private static func said(_ looks: [(at: Double, waited: Double)]) -> [DiskWatch.Change?] {
        var watch = DiskWatch()
        return looks.map { look in
            watch.look(MonotonicInstant(nanoseconds: 0) + .seconds(look.at)) { .seconds(look.waited) }
        }
    }

    @Test("A disk is reported as stalled if nothing reaches it for a while, and as working when data does")
    func stalled() {
        #expect(
            Self.said([(0, 0), (5, 5), (10, 10), (15, 15), (15.8, 15.8), (16.6, 16.6), (17, 0.1), (30, 0.1)])
                == [nil, nil, nil, nil, nil, .stalled, .over, nil])
    }

    @Test("A process that was stopped finds old data, writes it, and reports no stall") func stoppedProcess() {
        #expect(Self.said([(0, 0), (65, 65), (65.8, 0.1), (80, 0.1), (81, 80), (81.5, 80)]).allSatisfy { $0 == nil })
    }

    @Test("The wait of the oldest data is queried every few seconds only") func queries() {
        var (watch, asked) = (DiskWatch(), 0)
        for tenth in 0..<600 {
            _ = watch.look(MonotonicInstant(nanoseconds: Int64(tenth) * 100_000_000)) {
                asked += 1
                return .zero
            }
        }
        #expect(asked == 12)
    }
}
