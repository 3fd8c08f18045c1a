// SPDX-License-Identifier: MIT

import RadioFormats

/// Counts faults in the bytes of a station, over all of its connections.
final class StreamFaults {
    /// Frames with a wrong checksum.
    var wrongChecksums: Int64 = 0
    private(set) var damage = StreamDamage()
    private var skipped: [SkipReason: Int64] = [:]

    private var hasToldAttachments = false
    /// The bytes of tags at the last ``takeAttachments()``.
    private var tagsBefore: Int64 = 0

    /// A longer tag must contain a cover.
    private static let longestTag: Int64 = 64 << 10

    /// The size of the attachments so far, once and if there were any. Call when frames have arrived.
    func takeAttachments() -> Int64? {
        let tags = skipped[.tag, default: 0]
        defer { tagsBefore = tags }
        let cover = tags - tagsBefore > Self.longestTag ? tags - tagsBefore : 0
        let bytes = skipped[.attachment, default: 0] + cover
        guard !hasToldAttachments, bytes > 0 else { return nil }
        hasToldAttachments = true
        return bytes
    }

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
