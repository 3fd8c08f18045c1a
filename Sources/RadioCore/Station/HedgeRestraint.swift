// SPDX-License-Identifier: MIT

/// Whether one more hedge may be opened, among all stations of the process: a pure function of counts.
///
/// When more than half of four or more stations stall together the fault is ours, and second connections would only
/// make it worse.
package struct HedgeRestraint: Hashable, Sendable {
    /// Stations that are live, or were until they stalled.
    package var live: Int
    /// Those of them without a frame just now (see ``ConnectionMachine/isSilent(_:)``), hedged ones included.
    package var silent: Int
    /// Hedges that are open.
    package var hedges: Int

    private static let fewest = 4
    private static let mostHedges = 4

    package init(live: Int, silent: Int, hedges: Int) {
        self.live = live
        self.silent = silent
        self.hedges = hedges
    }

    package var allowsAnother: Bool {
        let isOurFault = live >= Self.fewest && silent > live / 2
        return !isOurFault || hedges < Self.mostHedges
    }
}
