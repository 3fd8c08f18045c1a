// SPDX-License-Identifier: MIT

import CurlClient
import Instants
import RadioCore

extension ConnectionMachine {
    /// Advances a connection to the step that belongs to the phase of its transfer.
    mutating func entered(_ phase: TransferPhase, _ role: Role, _ now: MonotonicInstant) {
        switch phase {
        case .resolving: redirected(role, now)
        case .connecting: resolved(role, now)
        case .securing: securing(role, now)
        case .waitingForHead: connected(role, now)
        case .receiving: break
        }
    }
}
