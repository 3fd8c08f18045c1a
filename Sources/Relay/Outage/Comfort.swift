// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// Silence in a station's own format, sent to listeners while the station is unavailable.
///
/// It is made once per outage and shared, because all listeners that have caught up were sent the same last frame.
final class Comfort {
    /// Consecutive units of silence.
    let bytes: PinnedBytes
    let unitBytes: Int
    let unitDuration: Duration

    /// The most silence that is sent to a listener in one go.
    private static let length = Duration.seconds(2)

    /// Creates silence of about this many bits per second. Returns nil if the format has no silent frames.
    init?(after ring: Ring, bitRate: Double) {
        guard let format = ring.format,
            let unit = SilentUnit(after: ring.lastFrames(SilentUnit.longestTail), format, bitRate: bitRate),
            unit.samples > 0
        else { return nil }
        unitBytes = unit.bytes.count
        unitDuration = .samples(Int64(unit.samples), at: format.sampleRate)
        let units = max(1, Int(Self.length / unitDuration))
        bytes = PinnedBytes(Array(repeatElement(unit.bytes, count: units).joined()))
    }

    /// The least number of units that last for `duration`; at least one.
    func units(lasting duration: Duration) -> Int {
        max(1, Int((duration / unitDuration).rounded(.up)))
    }
}
