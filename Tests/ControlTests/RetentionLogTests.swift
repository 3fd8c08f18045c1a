// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import Storage
import Testing
import Words

@testable import Control
@testable import Daemon

/// Which runs of retention are worth a line in the log.
final class RetentionLogTests {
    private static let now = WallInstant(nanoseconds: 1_795_608_000_000_000_000)
    private var faults = FaultCounter()
    private var time = MonotonicInstant(nanoseconds: 0)

    /// A run that deleted `deleted` recordings. Further deletions were refused, one for each of these reasons.
    private static func outcome(
        deleted: Int = 0, refusals: [RecordingDeleter.Refusal] = [], isLow: Bool = false
    ) -> RetentionOutcome {
        var outcome = RetentionOutcome(free: isLow ? 1 : 1_000, floor: 100)
        let deletion = RetentionOutcome.Deletion(
            recording: "r", station: "fip", show: nil, paths: ["r"], bytes: 0,
            reason: RetentionReason(.count, "more than 1"))
        outcome.deletions = Array(repeating: deletion, count: deleted)
        outcome.deletions += refusals.map { why in
            var refused = deletion
            refused.refusal = why
            return refused
        }
        return outcome
    }

    /// Whether the next run, five minutes after the last one, is logged.
    private func isLogged(_ outcome: RetentionOutcome) -> Bool {
        time = time + .seconds(300)
        guard let record = Wording.occurrence(.retention(outcome), in: .init(now: Self.now)) else { return false }
        defer { if let ended = record.ends { faults.end(ended) } }
        return record.fault.map { faults.note($0, at: time) != nil } ?? true
    }

    @Test("A refused deletion is logged once, until something changes") func refusals() {
        let refused = Self.outcome(refusals: [.system("r.mp3", EROFS), .system("s.mp3", EROFS)])
        #expect([refused, refused, refused].map { isLogged($0) } == [true, false, false])
        // A run that deletes something is worth a line each time, even if other deletions are refused.
        let partly = Self.outcome(deleted: 1, refusals: [.system("r.mp3", EROFS)])
        #expect(isLogged(partly) && isLogged(partly) && !isLogged(refused))
        #expect(isLogged(Self.outcome(refusals: [.protected])))
        let low = Self.outcome(refusals: [.system("r.mp3", EROFS)], isLow: true)
        #expect([low, low].map { isLogged($0) } == [true, false])
        // The refusal ended with the deletions, so the next refusal is logged again.
        #expect(isLogged(Self.outcome(deleted: 2)) && isLogged(refused) && !isLogged(refused))
    }
}
