// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// Decoded audio of one PCM format with everything that is to be known of it: where it fades, which frames it came
/// from, what is to be told when it is heard, how loud it is. Samples are numbered from zero. Confined to the sound
/// thread.
final class Tape {
    private let history: PCMHistory
    private var curve = GainCurve()
    private var track = HeardTrack()
    private var marks: [(sample: Int64, number: Int64)] = []
    private var loudness: LoudnessTrack?
    /// Whether audio may still come that belongs to what is here: its last samples wait, because they may have to fade.
    private var isOpen = true
    private var scratch: [Float] = []

    /// Neither click nor hole: short enough not to be heard as a fade.
    static let fade = Duration.milliseconds(30)

    /// The PCM that follows `before`, if there was any, on a tape of its own.
    init(_ format: PCMFormat, after before: Tape? = nil, measuresLoudness: Bool) {
        history = PCMHistory(format)
        loudness = measuresLoudness ? LoudnessTrack(format) : nil
        if let before {
            track = before.track
            track.restart()
        }
        curve.rise(from: 0, over: fadeLength)
    }

    var format: PCMFormat { history.format }
    /// How many samples it keeps.
    var capacity: Int { history.capacity }
    var start: Int64 { history.start }
    var end: Int64 { history.end }
    /// ``fade`` in samples.
    var fadeLength: Int64 { Int64(max(1, format.samples(in: Self.fade))) }
    /// Up to here samples are as they will be heard.
    var readyEnd: Int64 { isOpen ? max(history.start, history.end - fadeLength) : history.end }

    // MARK: What the decoder brings

    func append(_ values: UnsafeBufferPointer<Float>) {
        history.append(values)
        loudness?.add(values, upTo: history.end)
        isOpen = true
    }

    /// The samples so far are those of all frames up to this one.
    func place(frame: Int64, upTo end: Duration) {
        track.append(.init(sample: history.end, frame: frame, end: end))
    }

    func mark(_ number: Int64) {
        // Marks are titles; nobody reads more of them than this.
        if marks.count == 256 { marks.removeFirst() }
        marks.append((history.end, number))
    }

    /// What comes next does not follow: it fades out here, and in again.
    func breakHere() {
        guard history.end > 0 else { return }
        curve.fall(upTo: history.end, over: fadeLength)
        curve.rise(from: history.end, over: fadeLength)
        isOpen = false
    }

    /// Nothing comes any more; the last sample is heard as it is.
    func close() { isOpen = false }

    // MARK: What is heard

    /// Hands out samples as they are to be heard, in as many pieces as they lie in.
    func read(_ range: Range<Int64>, _ body: (UnsafeBufferPointer<Float>) -> Void) {
        var next = max(range.lowerBound, history.start)
        history.forEachPiece(range) { piece in
            let samples = next..<(next + Int64(piece.count / format.channels))
            next = samples.upperBound
            guard curve.touches(samples) else { return body(piece) }
            if scratch.count < piece.count { scratch = Array(repeating: 0, count: piece.count) }
            scratch.withUnsafeMutableBufferPointer { scratch in
                let copy = UnsafeMutableBufferPointer(rebasing: scratch[..<piece.count])
                _ = copy.update(fromContentsOf: piece)
                curve.apply(to: copy, channels: format.channels, from: samples.lowerBound)
                body(UnsafeBufferPointer(copy))
            }
        }
    }

    /// The sound begins, or goes on after silence, with this sample.
    func rise(from sample: Int64) {
        curve.cut(at: sample)
        curve.rise(from: sample, over: fadeLength)
    }

    /// The sound ends with a fade that begins at this sample; returns where it is over.
    func fall(from sample: Int64) -> Int64 {
        let end = min(history.end, sample + fadeLength)
        curve.cut(at: sample)
        if end > sample { curve.fall(upTo: end, over: end - sample) }
        return end
    }

    /// Drops samples that will not be heard; what comes next begins anew.
    func truncate(to sample: Int64) {
        history.truncate(to: sample)
        track.cut(at: sample)
        marks.removeAll { $0.sample > sample }
        curve.rise(from: history.end, over: fadeLength)
        isOpen = true
    }

    /// Everything before this sample has been heard.
    func heard(upTo sample: Int64) -> (frame: Int64, heard: Duration) {
        curve.forget(before: min(sample, history.start))
        return track.look(at: sample, rate: format.sampleRate)
    }

    /// Whether that is of the place that was jumped to last.
    func knows(_ sample: Int64) -> Bool { track.isKnown(sample) }

    /// Takes the marks that have been heard.
    func takeMarks(upTo sample: Int64) -> [Int64] {
        guard let first = marks.first, first.sample <= sample else { return [] }
        let count = marks.prefix { $0.sample <= sample }.count
        defer { marks.removeFirst(count) }
        return marks.prefix(count).map(\.number)
    }

    /// When the next mark is heard; nil where there is none.
    var nextMark: Int64? { marks.first?.sample }

    func loudness(at sample: Int64) -> Loudness? { loudness?.at(sample) }
}
