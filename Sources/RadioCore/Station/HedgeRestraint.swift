// SPDX-License-Identifier: MIT

/// Decides whether one more hedge may be opened, among all stations of the process: a pure function of counts.
///
/// If more than half of four or more stations stall together, the fault is on our side, and second connections would
/// only make it worse.
package struct HedgeRestraint: Hashable, Sendable {
    /// The number of stations that should deliver now (see ``ConnectionMachine/shouldDeliver``).
    package var expected: Int
    /// How many of the expected stations send no frame just now (see ``ConnectionMachine/isSilent(_:)``), stations with
    /// a hedge included.
    package var silent: Int
    /// The number of open hedges.
    package var hedges: Int

    private static let fewest = 4
    private static let mostHedges = 4

    package init(expected: Int, silent: Int, hedges: Int) {
        self.expected = expected
        self.silent = silent
        self.hedges = hedges
    }

    package var allowsAnother: Bool {
        let isOurFault = expected >= Self.fewest && silent > expected / 2
        return !isOurFault || hedges < Self.mostHedges
    }
}
