// SPDX-License-Identifier: MIT

import RadioFormats

/// Counts faults in the bytes of a station, over all of its connections. Confined to the loop's thread.
final class StreamFaults {
    /// Frames with a wrong checksum.
    var wrongChecksums: Int64 = 0
    private(set) var damage = StreamDamage()
    private var skipped: [SkipReason: Int64] = [:]

    /// Counts bytes that were not frames.
    func skip(_ bytes: Int, _ reason: SkipReason) {
        skipped[reason, default: 0] += Int64(bytes)
    }

    /// Counts a place between two frames where this many bytes belong to no frame.
    func damage(_ bytes: Int64) {
        damage.places += 1
        damage.bytes += bytes
    }

    /// Bytes that were not frames, in the order of the reasons.
    var skippedBytes: [StationSnapshot.SkippedBytes] {
        SkipReason.allCases.compactMap { reason in
            skipped[reason].map { StationSnapshot.SkippedBytes(reason: reason.rawValue, bytes: $0) }
        }
    }
}
