// SPDX-License-Identifier: MIT

import RadioCore

/// An ``AuditedRecording`` in which the audio that was found later is at its place, as a recorder's file has it.
package struct HealedRecording {
    package struct Frame {
        /// The place in the programme; nil for a foreign frame.
        package let place: Int?
        /// The station's count of the frame. A frame that was found later has the count of the frame before which it
        /// was found.
        let count: Int
        /// Whether the frame is said to be none of the programme's.
        let isCalledForeign: Bool
    }

    package private(set) var frames: [Frame] = []
    /// The gaps that are left. Their positions are indices of ``frames``.
    package private(set) var gaps: [AuditedRecording.ToldGap] = []

    package init(_ recording: AuditedRecording) {
        let (places, insertions) = (recording.places, recording.insertions)
        var isCalledForeign = Array(repeating: false, count: places.count + 1)
        for stretch in recording.stretches where stretch.kind == .foreign {
            for count in stretch.frames where places.indices.contains(Int(count)) { isCalledForeign[Int(count)] = true }
        }
        frames.reserveCapacity(places.count)
        // For each frame, the indices at which gaps before it are.
        var gapIndices: [[Int]] = []
        for count in 0...places.count {
            let insertion = insertions[count]
            func add(_ places: [Int?], isCalledForeign: Bool = false) {
                frames += places.map { Frame(place: $0, count: count, isCalledForeign: isCalledForeign) }
            }
            add(insertion?.before ?? [])
            var indices = [frames.count]
            for part in insertion?.within ?? [] {
                add(part)
                indices.append(frames.count)
            }
            gapIndices.append(indices)
            add(insertion?.after ?? [])
            if count < places.count { add([places[count]], isCalledForeign: isCalledForeign[count]) }
        }
        var healed: Set<Int> = []
        for var gap in recording.gaps {
            if let insertion = insertions[gap.position] {
                guard insertion.rest != .zero, healed.insert(gap.position).inserted else { continue }
                gap.length = insertion.rest
                gap.split = insertion.within.isEmpty ? nil : gap.position
            }
            for index in gapIndices.indices.contains(gap.position) ? gapIndices[gap.position] : [frames.count] {
                gap.position = index
                gaps.append(gap)
            }
        }
    }
}
