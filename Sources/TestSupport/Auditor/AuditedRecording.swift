// SPDX-License-Identifier: MIT

import Instants
package import RadioCore

/// What a sink has heard of a programme, and what it was told about it: the frames with their places in the programme,
/// gaps, splices and stretches.
package struct AuditedRecording: Sendable {
    /// A gap, or several at the same place.
    package struct ToldGap: Sendable {
        /// The index of the first frame after the gap.
        package var position: Int
        /// How much is said to be missing; nil if unknown.
        package var length: Duration?
        /// Whether the gap says that audio after it may have been heard before.
        package var tellsRepeat: Bool
        package let cause: String
        /// When it was told.
        package let told: Duration
    }

    package private(set) var gaps: [ToldGap] = []
    package private(set) var splices: [Splice] = []
    package private(set) var stretches: [Stretch] = []
    /// The index of each chunk's first frame, and when the chunk was heard.
    private var chunks: [(first: Int, at: Duration)] = []
    private var heard: HeardFrames

    /// `heard` recognises the programme's frames.
    package init(_ heard: HeardFrames) { self.heard = heard }

    /// The place of each frame in the programme; nil for a foreign frame.
    package var places: [Int?] { heard.places }

    /// When a frame was heard.
    package func time(of index: Int) -> Duration {
        let chunk = chunks.prefixCount { $0.first <= index }
        return chunk == 0 ? .zero : chunks[chunk - 1].at
    }

    /// Adds frames that were heard at a time.
    package mutating func add(_ frames: some Sequence<ArraySlice<UInt8>>, at time: Duration) {
        chunks.append((heard.count, time))
        for frame in frames { frame.withUnsafeBytes { heard.add($0) } }
    }

    /// Adds what a sink received at a time.
    package mutating func add(_ event: StreamEvent, at time: Duration) {
        switch event {
        case .chunk(let chunk):
            chunks.append((heard.count, time))
            heard.add(chunk)
        case .discontinuity(let discontinuity):
            guard case .gap(let gap) = discontinuity.kind else { return }
            gaps.append(
                ToldGap(
                    position: Int(discontinuity.position.frames), length: gap.length,
                    tellsRepeat: gap.overlap > .zero || gap.repeats != nil, cause: gap.cause, told: time))
        case .splice(let splice): splices.append(splice)
        case .stretch(let stretch): add(stretch)
        case .found, .station, .format, .title, .airTime, .ended: break
        }
    }

    /// A foreign stretch withdraws the gaps at its beginning, inside it and at its end.
    private mutating func add(_ stretch: Stretch) {
        stretches.append(stretch)
        guard stretch.kind == .foreign else { return }
        gaps.removeAll { Int(stretch.frames.lowerBound)...Int(stretch.frames.upperBound) ~= $0.position }
    }
}
