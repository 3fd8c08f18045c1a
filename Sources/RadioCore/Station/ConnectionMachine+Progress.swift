// SPDX-License-Identifier: MIT

package import Instants

// Events on a connection's way to its first frame that need no action.
extension ConnectionMachine {
    /// A connection has reached a step. After a redirect it starts anew, at another address of the same server or of
    /// another.
    package mutating func reached(_ step: Step, _ role: Role, _ now: MonotonicInstant) {
        update(role) { if step == .resolving { $0.redirected(now) } else { $0.reach(step, now) } }
    }

    /// The connection repeats bytes that were received before. This counts as progress until new bytes arrive.
    package mutating func goesOver(_ role: Role, _ now: MonotonicInstant) {
        update(role) { $0.renew(now) }
    }
}
