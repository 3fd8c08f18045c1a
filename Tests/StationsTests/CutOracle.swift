// SPDX-License-Identifier: MIT

import Instants
import TestSupport

/// What a station must make of cut connections, computed from the origin's log alone: when each connection was
/// accepted, how much burst it got, and where it was cut.
struct CutOracle {
    /// The transition from one connection to the next.
    struct Joint {
        /// The first frame that the old connection did not send whole.
        var cut: Int
        /// The first frame that the new connection sends whole.
        var join: Int

        /// How many frames both connections send. If negative: how many frames neither sends.
        var overlap: Int { cut - join }
    }

    let joints: [Joint]

    /// Computes the joints for one server without a lag, which sends in blocks of 1,400 bytes and is `onAir` into the
    /// programme at `began`.
    init(_ log: OriginLog, _ programme: Broadcast, burst: Int, onAir: Duration, began: MonotonicInstant) {
        joints = log.faults.compactMap { fault in
            guard fault.connection + 1 < log.accepts.count else { return nil }
            let time = onAir + (log.accepts[fault.connection + 1].at - began)
            let first = max(0, programme.edge(at: time) / 1_400 * 1_400 - burst)
            let place = programme.place(ofByte: first)
            let isWhole = programme.byteRange(of: place..<place + 1).lowerBound == first
            return Joint(cut: fault.place, join: isWhole ? place : place + 1)
        }
    }
}
