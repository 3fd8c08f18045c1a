// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Stations

/// A sink that records everything it receives, and reports impossible events.
final class PathWitness: StreamSink {
    /// All frames, in order.
    private(set) var frames: [[UInt8]] = []
    private(set) var events = 0
    private(set) var complaint: String?
    private(set) var hasEnded = false
    /// The number of the first frame.
    private let first: Int64
    /// The frames that were found later, by the number of the frame behind their gap: at its beginning and its end.
    private var found: [Int64: (front: [[UInt8]], back: [[UInt8]])] = [:]
    private var next: Position
    private var format: StreamFormat?
    private var isLive = true

    /// There is no limit: the other sinks decide how long audio may wait.
    var tolerance: Duration? { nil }

    /// Makes a witness for a station whose first frame is at `start`.
    init(from start: Position) {
        next = start
        first = start.frames
    }

    func receive(_ event: StreamEvent) {
        events += 1
        if hasEnded { complain("something comes after the end") }
        switch event {
        case .station, .airTime: break
        case .format(let format, let position): begin(format, position)
        case .discontinuity(let discontinuity):
            expect(discontinuity.position, "a discontinuity")
            if case .gap(let gap) = discontinuity.kind { look(at: gap) }
        case .hole(let gap, let position):
            if position.frames > next.frames { complain("a hole that is not in the past") }
            look(at: gap)
        case .splice(let splice):
            expect(splice.position, "a splice")
            if splice.droppedFrames < 0 { complain("\(splice.droppedFrames) frames were dropped") }
        case .stretch(let stretch):
            if stretch.frames.upperBound != next.frames || stretch.frames.lowerBound < 0 {
                complain("a stretch that does not end here")
            }
            if stretch.length < .zero { complain("a stretch of \(stretch.length)") }
        case .found(let audio): take(audio)
        case .title(let title):
            expect(title.position, "a title")
            if TitleText.cleaned(title.text) != title.text { complain("a title that is not clean") }
        case .chunk(let chunk): take(chunk)
        case .ended: hasEnded = true
        }
    }

    private func begin(_ format: StreamFormat, _ position: Position) {
        if self.format != nil { next.samples = 0 }
        self.format = format
        expect(position, "a format")
    }

    private func look(at gap: Gap) {
        if let length = gap.length, length < .zero { complain("a gap of \(length)") }
        if gap.overlap < .zero || gap.repeats ?? .zero < .zero {
            complain("a gap with less than nothing in it")
        }
    }

    private func take(_ chunk: Chunk) {
        expect(chunk.position, "a chunk")
        if chunk.format != format { complain("a chunk of another format") }
        if chunk.frames.isEmpty || chunk.duration < .zero { complain("a chunk of nothing") }
        let samples = chunk.slab.samples(ofFrames: chunk.frames)
        if samples != chunk.samples { complain("a chunk of \(chunk.samples) samples, and its frames have \(samples)") }
        for index in chunk.frames {
            chunk.slab.withBytes(chunk.slab.range(ofFrame: index)) { frames.append(Array($0)) }
        }
        next.frames += Int64(chunk.frames.count)
        next.bytes += Int64(chunk.bytes.count)
        next.samples = next.samples.addingSaturated(chunk.samples)
    }

    private func take(_ audio: FoundAudio) {
        if audio.before > next.frames || audio.before <= first { complain("audio was found outside the programme") }
        let isWhole = audio.continuesBefore && audio.isContinuedAfter
        if audio.batch.byteCount != audio.bytes.count || audio.batch.count == 0 && !isWhole {
            complain("odd found audio")
        }
        let frames = (0..<audio.batch.count).map { Array(audio.bytes[audio.batch.range(of: $0)]) }
        if audio.continuesBefore || audio.isWithin {
            found[audio.before, default: ([], [])].front += frames
        } else {
            found[audio.before, default: ([], [])].back.insert(contentsOf: frames, at: 0)
        }
    }

    /// All frames that a recording may have, in order: those that were received, and those that were found later.
    var recordable: [[UInt8]] {
        guard !found.isEmpty else { return frames }
        return (0...frames.count).flatMap { index in
            let here = found[first + Int64(index)]
            return (here?.front ?? []) + (here?.back ?? []) + (index < frames.count ? [frames[index]] : [])
        }
    }

    private func expect(_ position: Position, _ what: String) {
        if position != next { complain("\(what) at \(position) and not at \(next)") }
    }

    private func complain(_ words: String) {
        complaint = complaint ?? words
    }
}
