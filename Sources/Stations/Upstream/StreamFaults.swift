// SPDX-License-Identifier: MIT

import RadioFormats

/// What was wrong with the bytes of a station, counted over all of its connections, which share it. Confined to the
/// loop's thread.
final class StreamFaults {
    /// Frames that do not agree with their checksum.
    var wrongChecksums: Int64 = 0
    private var skipped: [SkipReason: Int64] = [:]

    /// Counts bytes that were no frames.
    func skip(_ bytes: Int, _ reason: SkipReason) {
        skipped[reason, default: 0] += Int64(bytes)
    }

    /// Bytes that were no frames, in the order of the reasons.
    var skippedBytes: [StationSnapshot.SkippedBytes] {
        SkipReason.allCases.compactMap { reason in
            skipped[reason].map { StationSnapshot.SkippedBytes(reason: reason.rawValue, bytes: $0) }
        }
    }
}
