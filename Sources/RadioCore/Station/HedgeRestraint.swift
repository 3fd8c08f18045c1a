// SPDX-License-Identifier: MIT

/// Whether one more hedge may be opened, among all stations of the process: a pure function of counts.
///
/// When more than half of four or more stations stall together the fault is ours, and second connections would only
/// make it worse.
package struct HedgeRestraint: Hashable, Sendable {
    /// Stations that were heard and have a connection, whether or not it has stalled.
    package var onAir: Int
    /// Those of them without a frame just now (see ``ConnectionMachine/isSilent(_:)``), hedged ones included.
    package var silent: Int
    /// Hedges that are open.
    package var hedges: Int

    private static let fewest = 4
    private static let mostHedges = 4

    package init(onAir: Int, silent: Int, hedges: Int) {
        self.onAir = onAir
        self.silent = silent
        self.hedges = hedges
    }

    package var allowsAnother: Bool {
        let isOurFault = onAir >= Self.fewest && silent > onAir / 2
        return !isOurFault || hedges < Self.mostHedges
    }
}
