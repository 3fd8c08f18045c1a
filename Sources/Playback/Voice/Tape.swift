// SPDX-License-Identifier: MIT

import RadioCore

/// What a tape and its stream to the sound server are made for.
struct TapeKind: Hashable {
    var format: PCMFormat
    /// See ``PipeRun/followsClock``.
    var followsClock: Bool
}

/// Decoded audio of one PCM format with its fades, source frames, cues and loudness. Samples are numbered from zero.
/// Confined to the sound thread.
final class Tape {
    let kind: TapeKind
    private let history: PCMHistory
    private var curve = GainCurve()
    private var track = HeardTrack()
    private var cues: [(sample: Int64, number: Int64)] = []
    private var loudness: LoudnessTrack?
    /// Whether more audio may continue the last samples. While it may, the last samples are held back, because they may
    /// have to fade.
    private var isOpen = true
    private var scratch: [Float] = []

    /// The length of a fade: long enough to avoid a click, and short enough not to be heard as a fade.
    static let fade = Duration.milliseconds(30)

    /// A new tape, whose PCM follows the PCM of `before` if there is such a tape.
    init(_ kind: TapeKind, after before: Tape? = nil, measuresLoudness: Bool) {
        self.kind = kind
        history = PCMHistory(kind.format)
        loudness = measuresLoudness ? LoudnessTrack(kind.format) : nil
        if let before {
            track = before.track
            track.restart()
        }
        curve.rise(from: 0, over: fadeLength)
    }

    var format: PCMFormat { kind.format }
    /// How many samples the tape keeps.
    var capacity: Int { history.capacity }
    var start: Int64 { history.start }
    var end: Int64 { history.end }
    /// ``fade`` in samples.
    var fadeLength: Int64 { Int64(max(1, format.samples(in: Self.fade))) }
    /// The end of the samples that no later fade can change.
    var readyEnd: Int64 { isOpen ? max(history.start, history.end - fadeLength) : history.end }

    // MARK: Appending

    func append(_ values: UnsafeBufferPointer<Float>) {
        history.append(values)
        loudness?.add(values, upTo: history.end)
        isOpen = true
    }

    /// Assigns the samples so far to the frames up to `frame`, which ends at `end` on the player's timeline.
    func place(frame: Int64, upTo end: Duration) {
        track.append(.init(sample: history.end, frame: frame, end: end))
    }

    func cue(_ number: Int64) {
        // Nearly all cues are titles, and nobody reads more titles than this.
        if cues.count == 256 { cues.removeFirst() }
        cues.append((history.end, number))
    }

    /// Marks a discontinuity: the audio fades out here, and the audio appended next fades in.
    func breakHere() {
        guard history.end > 0 else { return }
        curve.fall(upTo: history.end, over: fadeLength)
        curve.rise(from: history.end, over: fadeLength)
        isOpen = false
    }

    /// Declares the end of the audio: its last samples do not fade.
    func close() { isOpen = false }

    // MARK: Playing

    /// Calls `body` with each contiguous piece of a range of samples, fades applied. A piece is valid only during its
    /// call.
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

    /// Adds a fade-in where the sound begins, or resumes after silence.
    func rise(from sample: Int64) {
        curve.cut(at: sample)
        curve.rise(from: sample, over: fadeLength)
    }

    /// Adds a fade-out that begins at a sample, and ends the sound; returns where the fade is over.
    func fall(from sample: Int64) -> Int64 {
        let end = min(history.end, sample + fadeLength)
        curve.cut(at: sample)
        if end > sample { curve.fall(upTo: end, over: end - sample) }
        return end
    }

    /// Drops the samples from `sample` on, which will not be heard. The audio appended next fades in.
    func truncate(to sample: Int64) {
        history.truncate(to: sample)
        track.cut(at: sample)
        cues.removeAll { $0.sample > sample }
        curve.rise(from: history.end, over: fadeLength)
        isOpen = true
    }

    /// Forgets the volume before a sample up to which everything has been heard. Returns the sample's frame, and its
    /// place on the player's timeline.
    func heard(upTo sample: Int64) -> (frame: Int64, heard: Duration) {
        curve.forget(before: min(sample, history.start))
        return track.look(at: sample, rate: format.sampleRate)
    }

    /// Whether `sample` belongs to audio decoded after the latest jump, and its frame is known.
    func knows(_ sample: Int64) -> Bool { track.isKnown(sample) }

    /// Removes and returns the cues that have been heard.
    func takeCues(upTo sample: Int64) -> [Int64] {
        guard let first = cues.first, first.sample <= sample else { return [] }
        let count = cues.prefix { $0.sample <= sample }.count
        defer { cues.removeFirst(count) }
        return cues.prefix(count).map(\.number)
    }

    /// The sample at which the next cue lies; nil if there is none.
    var nextCue: Int64? { cues.first?.sample }

    func loudness(at sample: Int64) -> Loudness? { loudness?.at(sample) }
}
