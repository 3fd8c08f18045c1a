// SPDX-License-Identifier: MIT

import Instants

/// Decides when retention runs, and whether its outcome is worth reporting.
struct RetentionPace {
    private var isUnderWay = false
    private var lastEnd: MonotonicInstant?
    private var isDiskLow = false
    private var problem: String?
    /// The free bytes of the disk after the last run; nil if unknown.
    private(set) var free: Int64?

    private static let interval = Duration.seconds(300)
    /// The shortest time between two runs for a full disk. The runs must not be closer, because file systems may report
    /// freed space late.
    private static let leastInterval = Duration.seconds(30)

    /// How long to wait between two runs.
    func pause(isDiskFull: Bool) -> Duration { isDiskFull ? Self.leastInterval : Self.interval }

    /// Begins a run. Returns false if another run is under way.
    mutating func begin() -> Bool {
        defer { isUnderWay = true }
        return !isUnderWay
    }

    /// Whether a run may start because a recording has found the disk full. Such runs must not follow one another too
    /// closely, because many recordings may find the disk full at once.
    func mayRun(forFullDiskAt now: MonotonicInstant) -> Bool {
        lastEnd.map { now - $0 >= Self.leastInterval } ?? true
    }

    /// Ends a run. `outcome` is nil if the catalog could not be used. Returns the outcome if it is worth an event.
    mutating func end(_ outcome: RetentionOutcome?, at now: MonotonicInstant) -> RetentionOutcome? {
        isUnderWay = false
        lastEnd = now
        guard let outcome else { return nil }
        free = outcome.freeAfterwards
        // A disk that cannot be measured may be as full as before, so ``isDiskLow`` stays.
        guard outcome.problem == nil else {
            defer { problem = outcome.problem }
            return outcome.problem != problem ? outcome : nil
        }
        defer { (isDiskLow, problem) = (outcome.isLow, nil) }
        let hasBegunToWait = outcome.waiting?.isNew ?? false
        let isNotable = !outcome.deletions.isEmpty || outcome.isLow != isDiskLow || hasBegunToWait
        return isNotable ? outcome : nil
    }
}
