// SPDX-License-Identifier: MIT

import EventLoop
import RadioCore

/// The stations of one process. If most of them stall together, the cause is on this side, so only a few of them are
/// hedged (``HedgeRestraint``).
package final class StationGroup {
    private struct Member { weak var station: StationRun? }
    private var members: [Member] = []

    package init() {}

    func add(_ station: StationRun) {
        members.removeAll { $0.station == nil }
        members.append(Member(station: station))
    }

    /// Whether another hedge may be opened now.
    var allowsHedge: Bool {
        let stations = members.compactMap(\.station)
        return HedgeRestraint(
            expected: stations.count { $0.machine.shouldDeliver },
            silent: stations.count { $0.machine.isSilent($0.reactor.now) },
            hedges: stations.count { $0.machine.isHedged }
        ).allowsAnother
    }
}
