// SPDX-License-Identifier: MIT

import Instants

/// Limits how much of a turn of the loop a transfer may use.
///
/// libcurl reads a socket up to a hundred times in a row while there is data. A server that sends as fast as this
/// machine can read, or whose bytes are expensive to parse, would delay everything else on the loop.
struct TurnShare {
    /// The maximum number of body bytes that a transfer delivers per turn. The last delivery of a turn may exceed it,
    /// because deliveries are not cut.
    static let bytes = 1024 * 1024
    /// The number of bytes after which a delivery is reported even if curl has more bytes, because processing the bytes
    /// belongs to the share, too.
    static let delivery = 32 * 1024
    /// The age of a turn at which transfers stop delivering. It is the same for all transfers, so a transfer that
    /// begins later in the turn delivers only once.
    static let time = Duration.milliseconds(5)

    private var turn: MonotonicInstant?
    private var taken = 0

    /// Counts a delivery. Returns true if it was the last one of this turn.
    ///
    /// `turn`: the time at which the turn began, which identifies the turn. `now`: the time after the delivery.
    mutating func take(_ count: Int, in turn: MonotonicInstant, now: MonotonicInstant) -> Bool {
        if self.turn != turn { (self.turn, taken) = (turn, 0) }
        taken += count
        return taken >= Self.bytes || now - turn >= Self.time
    }
}
