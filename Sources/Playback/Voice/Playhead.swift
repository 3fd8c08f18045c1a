// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import SoundOutput

/// An output's position on a tape: which samples have been written, which have been heard, and which can still be taken
/// back. Confined to the sound thread.
final class Playhead {
    let output: any SoundOutput
    private(set) var tape: Tape?
    /// The number of the next sample to write.
    private(set) var next: Int64 = 0
    /// Whether the output has a stream for the tape's format.
    private(set) var hasStream = false
    private var map = CountMap()
    /// How much faster than its own rate the tape plays, in parts per million.
    private var correction = 0.0
    private var isNudged = false
    private let measuresLoudness: Bool

    /// Samples that will be heard within this time can no longer be taken back.
    private static let reach = Duration.milliseconds(40)

    init(_ output: any SoundOutput, measuresLoudness: Bool) {
        self.output = output
        self.measuresLoudness = measuresLoudness
    }

    /// The number of the sample being heard.
    var heard: Int64 { min(next, map.sample(at: output.heard)) }

    /// How much written audio has not been heard.
    var unheard: Duration { time(for: output.written - output.heard) }

    /// How many samples the output has room for.
    var room: Int { hasStream ? output.room : 0 }

    /// Whether everything on the tape has been written and heard.
    var isDone: Bool {
        guard let tape else { return true }
        return next >= tape.end && !(hasStream && unheard > .zero)
    }

    func time(for samples: Int64) -> Duration { .samples(samples, at: tape?.format.sampleRate ?? 48_000) }

    // MARK: The output's stream

    /// Opens a stream of another kind, with a new tape.
    func open(_ kind: TapeKind, isPaused: Bool) {
        tape = Tape(kind, after: tape, measuresLoudness: measuresLoudness)
        (next, hasStream) = (0, false)
        map.restart(at: 0)
        output.open(kind.format, hasVariableRate: kind.followsClock, isPaused: isPaused)
    }

    /// Begins in the empty stream that the output has opened: samples not yet heard are written again, and fade in.
    func opened() {
        hasStream = true
        if let tape {
            next = max(tape.start, min(next, tape.end))
            tape.rise(from: next)
        }
        map.restart(at: next)
        applyRate()
    }

    /// Goes back to the first sample that was not heard, because the output has lost its stream.
    func lost() {
        if hasStream, let tape { next = max(tape.start, heard) }
        hasStream = false
    }

    /// Plays faster than the tape's own rate by this many parts per million.
    func setCorrection(_ correction: Double) {
        self.correction = correction
        applyRate()
    }

    private func applyRate() {
        guard hasStream, let tape, tape.kind.followsClock else { return }
        let rate = tape.format.sampleRate
        let wanted = Int((Double(rate) * (1 + correction / 1e6)).rounded())
        // When a stream plays at exactly its own rate, the server's resampler may stop and drop the samples it holds.
        // So a rate that was changed once never becomes exact again.
        isNudged = isNudged || wanted != rate
        output.setRate(isNudged && wanted == rate ? rate + 1 : wanted)
    }

    // MARK: Writing

    /// Writes the tape up to a sample.
    func write(upTo end: Int64) {
        guard end > next, let tape else { return }
        tape.read(next..<end) { output.write($0, rewind: 0) }
        next = end
    }

    /// Writes silence so that the next sample is heard after `duration`, as far as the output has room. Returns whether
    /// no more silence is needed.
    func writeSilence(for duration: Duration) -> Bool {
        guard hasStream, let tape else { return false }
        let samples = tape.format.samples(in: duration) - Int(output.written - output.heard)
        let count = max(0, min(samples, output.room))
        let silence = [Float](repeating: 0, count: count * tape.format.channels)
        silence.withUnsafeBufferPointer { output.write($0, rewind: 0) }
        guard count == samples || samples <= 0 else { return false }
        map.go(on: output.written, with: next)
        return true
    }

    /// Takes written samples back, so that `sample` is the next sample written.
    func takeBack(to sample: Int64) {
        let count = next - sample
        if count > 0 { output.write(UnsafeBufferPointer(start: nil, count: 0), rewind: Int(count)) }
        next = sample
        map.go(on: output.written, with: next)
    }

    /// Takes back all written samples that have not been heard.
    func takeBackAll() { if hasStream { takeBack(to: heard) } }

    // MARK: Fades

    /// Takes back all samples that can still be taken back, and writes a fade-out in their place. Returns the number of
    /// the sample at which the fade begins; nil if nothing is being heard.
    @discardableResult
    func fadeOut() -> Int64? {
        guard hasStream, let tape, unheard > .zero else { return nil }
        let cut = max(tape.start, min(next, heard + Int64(tape.format.samples(in: Self.reach))))
        takeBack(to: cut)
        write(upTo: tape.fall(from: cut))
        return cut
    }

    /// Goes back on the tape, but takes nothing back from the output.
    func rewind(to sample: Int64) { next = sample }

    /// Makes the samples written next fade in.
    func fadeIn() {
        guard let tape else { return }
        tape.rise(from: next)
        map.go(on: output.written, with: next)
    }

    /// Drops the samples on the tape that have not been written.
    func dropUnwritten() {
        guard let tape else { return }
        tape.truncate(to: next)
        next = tape.end
        map.go(on: output.written, with: next)
    }
}
