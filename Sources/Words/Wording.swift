// SPDX-License-Identifier: MIT

import RadioCore
package import Stations

/// Messages for people: fixed sentences with facts inserted.
package enum Wording {
    /// A message about audio that arrived damaged; nil if there was none.
    package static func line(_ damage: StreamDamage) -> String? {
        guard damage.places > 0 else { return nil }
        let bytes = Measure.count(Int(clamping: damage.bytes), "byte")
        let places = Measure.count(Int(clamping: damage.places), "place")
        // A new connection may send audio whole that had arrived damaged.
        return "\(bytes) of the station's audio arrived damaged, in \(places)"
    }

    /// A message about frames with wrong checksums; nil if there were none.
    package static func line(wrongChecksums frames: Int64) -> String? {
        // Not all of these frames need be in the recording: a new connection may repeat earlier audio.
        frames > 0
            ? "\(Measure.count(Int(frames), "frame")) came with a wrong checksum: frames are recorded unchanged"
            : nil
    }

    /// A message about the station's clock drift, in parts per million.
    package static func line(drift: Double) -> String {
        guard let size = Int(exactly: drift.magnitude.rounded()), size > 0 else {
            return "the station's clock runs as fast as this machine's"
        }
        let way = drift > 0 ? "faster" : "slower"
        let perDay = Measure.length(.milliseconds(size) * 86.4)
        return "the station's clock is \(way) than this machine's by \(size) ppm, \(perDay) a day"
    }
}
