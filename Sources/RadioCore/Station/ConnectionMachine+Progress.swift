// SPDX-License-Identifier: MIT

package import Instants

// What a connection does on its way to its first frame, and calls for no action.
extension ConnectionMachine {
    /// The connection goes to another address of the same server or of another, and begins anew: a redirect.
    package mutating func redirected(_ role: Role, _ now: MonotonicInstant) {
        update(role) { $0.redirected(now) }
    }

    /// An address is known; the connection is being made.
    package mutating func resolved(_ role: Role, _ now: MonotonicInstant) {
        update(role) { $0.reach(.connecting, now) }
    }

    /// There is a connection, and the TLS handshake begins.
    package mutating func securing(_ role: Role, _ now: MonotonicInstant) {
        update(role) { $0.reach(.securing, now) }
    }

    /// The request is out.
    package mutating func connected(_ role: Role, _ now: MonotonicInstant) {
        update(role) { $0.reach(.awaitingHead, now) }
    }

    /// The first byte of the body.
    package mutating func firstByte(_ role: Role, _ now: MonotonicInstant) {
        update(role) { $0.reach(.probing, now) }
    }

    /// The connection repeats bytes that came before. That is progress, too, until new ones come.
    package mutating func goesOver(_ role: Role, _ now: MonotonicInstant) {
        update(role) { $0.renew(now) }
    }
}
