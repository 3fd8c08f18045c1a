// SPDX-License-Identifier: MIT

import Instants
package import RadioCore

/// What a sink has heard of a programme, and what it was told about it: the frames with their places in the programme,
/// gaps, splices, stretches, and audio that was found later. Frames are counted as the station counts them.
package struct AuditedRecording: Sendable {
    /// A gap, or several at the same place.
    package struct ToldGap: Sendable {
        /// The count of the first frame after the gap.
        package var position: Int
        /// How much is said to be missing; nil if unknown.
        package var length: Duration?
        /// Whether the gap says that audio after it may have been heard before.
        package var tellsRepeat: Bool
        package let cause: String
        /// When its audio was on air, as it says.
        let at: WallInstant
        /// Where the gap is split by audio that was found somewhere within it: the count of the first frame after it.
        var split: Int?
        /// When it was told.
        package let told: Duration
    }

    /// The place of each frame that was heard; nil for a foreign frame.
    package internal(set) var places: [Int?] = []
    package internal(set) var gaps: [ToldGap] = []
    package private(set) var splices: [Splice] = []
    package internal(set) var stretches: [Stretch] = []
    /// What was found for the places before these frames.
    private(set) var insertions: [Int: Insertion] = [:]
    /// The count of each chunk's first frame, and when the chunk was heard.
    var chunks: [(first: Int, at: Duration)] = []
    private var heard: HeardFrames
    /// Recognises frames; it has heard none.
    private let fresh: HeardFrames

    /// Audio that was found later for a place between two frames.
    struct Insertion: Sendable {
        /// The frames after the first of these two, and those before the second one.
        var (before, after): ([Int?], [Int?]) = ([], [])
        /// Frames with a gap on both sides.
        var within: [[Int?]] = []
        /// What is still missing between them; nil if unknown.
        var rest: Duration?
        /// The length of the audio.
        var length = Duration.zero
    }

    /// `heard` recognises the programme's frames.
    package init(_ heard: HeardFrames) { (self.heard, fresh) = (heard, heard) }

    /// When a frame was heard.
    package func time(of frame: Int) -> Duration {
        let chunk = chunks.prefixCount { $0.first <= frame }
        return chunk == 0 ? .zero : chunks[chunk - 1].at
    }

    /// Adds frames that were heard at a time.
    package mutating func add(_ frames: some Sequence<ArraySlice<UInt8>>, at time: Duration) {
        chunks.append((places.count, time))
        for frame in frames { frame.withUnsafeBytes { heard.add($0) } }
        places += heard.places[places.count...]
    }

    /// Adds what a sink received at a time.
    package mutating func add(_ event: StreamEvent, at time: Duration) {
        switch event {
        case .chunk(let chunk):
            chunks.append((places.count, time))
            heard.add(chunk)
            places += heard.places[places.count...]
        case .discontinuity(let discontinuity):
            if case .gap(let gap) = discontinuity.kind { add(gap, before: discontinuity.position, at: time) }
        case .hole(let gap, let position):
            gaps.removeAll { $0.position == position.frames }
            if let insertion = insertions[Int(position.frames)], insertion.rest != .zero {
                insertions[Int(position.frames)]?.rest = gap.length.map { max(.nanoseconds(1), $0 - insertion.length) }
            }
            add(gap, before: position, at: time)
            gaps.sort { $0.position < $1.position }
        case .splice(let splice): splices.append(splice)
        case .stretch(let stretch): add(stretch)
        case .found(let audio): add(audio)
        case .station, .format, .title, .airTime, .ended: break
        }
    }

    private mutating func add(_ gap: Gap, before position: Position, at time: Duration) {
        gaps.append(
            ToldGap(
                position: Int(position.frames), length: gap.length,
                tellsRepeat: gap.overlap > .zero || gap.repeats != nil, cause: gap.cause, at: gap.at, told: time))
    }

    /// A foreign stretch withdraws the gaps at its beginning, inside it and at its end.
    private mutating func add(_ stretch: Stretch) {
        stretches.append(stretch)
        guard stretch.kind == .foreign else { return }
        gaps.removeAll { Int(stretch.frames.lowerBound)...Int(stretch.frames.upperBound) ~= $0.position }
    }

    /// Takes audio as a recorder does: without frames, it is left out, unless nothing is missing.
    private mutating func add(_ audio: FoundAudio) {
        let isWhole = audio.continuesBefore && audio.isContinuedAfter
        guard audio.batch.byteCount == audio.bytes.count, audio.batch.count > 0 || isWhole
        else { return }
        var places = fresh
        audio.bytes.withUnsafeBytes { bytes in audio.batch.forEach(in: bytes) { places.add($1) } }
        var insertion = insertions[Int(audio.before), default: Insertion()]
        if audio.continuesBefore {
            insertion.before += places.places
        } else if audio.isWithin {
            insertion.within.append(places.places)
        } else {
            insertion.after = places.places + insertion.after
        }
        insertion.length = insertion.length + audio.length
        insertion.rest = audio.continuesBefore && audio.isContinuedAfter ? .zero : audio.rest
        insertions[Int(audio.before)] = insertion
    }
}
