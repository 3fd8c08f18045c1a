// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// The stations of one process. If most of them stall together, the cause is on this side, so only a few of them are
/// hedged (``HedgeRestraint``).
package final class StationGroup {
    private struct Member { weak var station: StationRun? }
    private var members: [Member] = []
    /// The last decision, and until when it holds.
    private var decision: (allowsHedge: Bool, until: MonotonicInstant)?

    /// While many stations are silent, each of them asks about all.
    private static let validity = Duration.milliseconds(100)

    package init() {}

    func add(_ station: StationRun) {
        members.removeAll { $0.station == nil }
        members.append(Member(station: station))
    }

    /// Whether another hedge may be opened now. Call ``hedgeOpened()`` for each.
    func allowsHedge(_ now: MonotonicInstant) -> Bool {
        if let decision, now < decision.until { return decision.allowsHedge }
        let stations = members.compactMap(\.station)
        let restraint = HedgeRestraint(
            expected: stations.count { $0.machine.shouldDeliver },
            silent: stations.count { $0.machine.isSilent(now) },
            hedges: stations.count { $0.machine.isHedged })
        decision = (restraint.allowsAnother, now + Self.validity)
        return restraint.allowsAnother
    }

    func hedgeOpened() { decision = nil }
}
