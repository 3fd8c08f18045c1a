// SPDX-License-Identifier: MIT

import Instants
import TestSupport

/// What a station must make of connections that are cut, told from the origin's log alone: from when each was accepted,
/// how much burst it got, and where it was cut.
struct CutOracle {
    /// From one connection to the next.
    struct Joint {
        /// The first frame that the old connection did not send whole.
        var cut: Int
        /// The first frame that the new one sends whole.
        var join: Int

        /// How many frames both of them bring; negative: how many neither does.
        var overlap: Int { cut - join }
    }

    let joints: [Joint]

    /// For one server, without a lag, that began at an instant and sends in blocks of 1,400 bytes.
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
