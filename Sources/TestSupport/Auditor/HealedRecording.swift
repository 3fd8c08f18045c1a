// SPDX-License-Identifier: MIT

/// An ``AuditedRecording`` in which the audio that was found later is at its place, as a recorder's file has it.
struct HealedRecording {
    struct Frame {
        /// The place in the programme; nil for a foreign frame.
        let place: Int?
        /// The station's count of the frame. A frame that was found later has the count of the frame before which it
        /// was found.
        let count: Int
    }

    private(set) var frames: [Frame] = []
    /// The gaps that are left. Their positions are indices of ``frames``.
    private(set) var gaps: [AuditedRecording.ToldGap] = []

    init(_ recording: AuditedRecording) {
        let (places, insertions) = (recording.places, recording.insertions)
        frames.reserveCapacity(places.count)
        // For each frame, the index at which a gap before it is.
        var gapIndices: [Int] = []
        for count in 0...places.count {
            let insertion = insertions[count]
            frames += (insertion?.before ?? []).map { Frame(place: $0, count: count) }
            gapIndices.append(frames.count)
            frames += (insertion?.after ?? []).map { Frame(place: $0, count: count) }
            if count < places.count { frames.append(Frame(place: places[count], count: count)) }
        }
        var healed: Set<Int> = []
        for var gap in recording.gaps {
            if let insertion = insertions[gap.position] {
                guard insertion.rest != .zero, healed.insert(gap.position).inserted else { continue }
                gap.length = insertion.rest
            }
            gap.position = gapIndices.indices.contains(gap.position) ? gapIndices[gap.position] : frames.count
            gaps.append(gap)
        }
    }
}
