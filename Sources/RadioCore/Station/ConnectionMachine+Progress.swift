// SPDX-License-Identifier: MIT

package import Instants

// Events on a connection's way to its first frame that need no action.
extension ConnectionMachine {
    /// A redirect: the connection starts anew at another address, of the same server or of another.
    package mutating func redirected(_ role: Role, _ now: MonotonicInstant) {
        update(role) { $0.redirected(now) }
    }

    /// An address is known; connecting begins.
    package mutating func resolved(_ role: Role, _ now: MonotonicInstant) {
        update(role) { $0.reach(.connecting, now) }
    }

    /// The connection is established; the TLS handshake begins.
    package mutating func securing(_ role: Role, _ now: MonotonicInstant) {
        update(role) { $0.reach(.securing, now) }
    }

    /// The request has been sent.
    package mutating func connected(_ role: Role, _ now: MonotonicInstant) {
        update(role) { $0.reach(.awaitingHead, now) }
    }

    /// The first byte of the body has arrived.
    package mutating func firstByte(_ role: Role, _ now: MonotonicInstant) {
        update(role) { $0.reach(.probing, now) }
    }

    /// The connection repeats bytes that were received before. This counts as progress until new bytes arrive.
    package mutating func goesOver(_ role: Role, _ now: MonotonicInstant) {
        update(role) { $0.renew(now) }
    }
}
