// SPDX-License-Identifier: MIT

import Instants

/// How many bytes of a live connection may gather before the loop is woken: what the station sends in a given time.
///
/// A station sends a dozen small pieces per second, and waking a process costs more than all its work on them. The size
/// follows the leanest second so far, so that with a variable bit rate, bytes seldom wait longer than the given time. A
/// pure value, created anew for each connection.
package struct GatheringSize: Sendable {
    /// The size in bytes. It is 1, so that nothing gathers, until a second of audio has arrived, and while ``time`` is
    /// zero.
    package private(set) var bytes = 1
    /// How long bytes may gather.
    package var time: Duration {
        didSet { bytes = wanted }
    }
    /// The number of bytes in the leanest second so far; nil before the first full second.
    private var leanest: Int64?
    /// The start of the current second.
    private var start: Position?

    private static let most: Int64 = 16 * 1024

    package init(time: Duration) {
        self.time = time
    }

    /// Measures the bit rate of the audio that has arrived up to `position`. Returns true if ``bytes`` has changed by
    /// enough to matter.
    package mutating func received(upTo position: Position, sampleRate: Int) -> Bool {
        guard let start, start.samples <= position.samples else {
            start = position
            return false
        }
        let samples = position.samples - start.samples
        guard samples >= Int64(sampleRate), samples > 0 else { return false }
        self.start = position
        let second = Double(position.bytes - start.bytes) * Double(sampleRate) / Double(samples)
        leanest = min(leanest ?? .max, Int64(second))
        let size = wanted
        guard abs(size - bytes) > bytes / 8 else { return false }
        bytes = size
        return true
    }

    private var wanted: Int {
        guard let leanest else { return 1 }
        return Int(max(1, min(Double(leanest) * time.inSeconds, Double(Self.most))))
    }
}
