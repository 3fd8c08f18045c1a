// SPDX-License-Identifier: MIT

import EventLoop
import RadioCore

/// The stations of one process: when most of them stall together the fault is ours, and few are hedged
/// (``HedgeRestraint``). Confined to the loop's thread.
package final class StationGroup {
    private struct Member { weak var station: Station? }
    private var members: [Member] = []

    package init() {}

    func add(_ station: Station) {
        members.removeAll { $0.station == nil }
        members.append(Member(station: station))
    }

    /// Whether another station may be hedged now.
    var allowsHedge: Bool {
        let stations = members.compactMap(\.station)
        return HedgeRestraint(
            expected: stations.count { $0.shouldDeliver }, silent: stations.count { $0.isSilent },
            hedges: stations.count { $0.isHedged }
        ).allowsAnother
    }
}
