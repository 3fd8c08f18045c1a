// SPDX-License-Identifier: MIT

extension ConnectionMachine {
    /// What one of the addresses may be tried for. It depends on the address that plays.
    package struct MirrorStanding: Hashable, Sendable {
        /// Whether it may be tried in an outage: it may carry the station that plays.
        package var mayBeTried: Bool
        /// Whether it comes before the address that plays in their list, so that it is tried again meanwhile.
        package var isBetter: Bool

        package init(mayBeTried: Bool = true, isBetter: Bool = false) {
            self.mayBeTried = mayBeTried
            self.isBetter = isBetter
        }
    }
}
