// SPDX-License-Identifier: MIT

import Instants

/// What one transfer may take of a turn of the loop.
///
/// libcurl reads a socket up to a hundred times in a row while there is something to read. A server that sends as fast
/// as the machine can read, or sends bytes that are expensive to parse, would keep everybody else in the loop waiting.
struct TurnShare {
    /// Bytes of a body that one transfer delivers in a turn, except that the last delivery is never cut.
    static let bytes = 1024 * 1024
    /// Bytes after which a delivery is told of although curl has more: what is made of it belongs to the share, too.
    static let delivery = 32 * 1024
    /// How old a turn may be when a transfer goes on delivering. All transfers share it: a transfer that comes late in
    /// a turn delivers once.
    static let time = Duration.milliseconds(5)

    private var turn: MonotonicInstant?
    private var taken = 0

    /// Counts a delivery; true where it was the last one of this turn.
    ///
    /// `turn` is when the turn began, which names it; `now` is the time after the delivery.
    mutating func take(_ count: Int, in turn: MonotonicInstant, now: MonotonicInstant) -> Bool {
        if self.turn != turn { (self.turn, taken) = (turn, 0) }
        taken += count
        return taken >= Self.bytes || now - turn >= Self.time
    }
}
