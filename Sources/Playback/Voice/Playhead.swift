// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import SoundOutput

/// Where on a tape an output is: what of it was written, what has been heard, and what can still be taken back. Confined
/// to the sound thread.
final class Playhead {
    let output: any SoundOutput
    private(set) var tape: Tape?
    /// The number of the sample that is written next.
    private(set) var next: Int64 = 0
    /// Whether the output has a stream for the tape's format.
    private(set) var hasStream = false
    private var map = CountMap()
    /// How much faster it plays, in parts per million.
    private var correction = 0.0
    private var isNudged = false
    private let measuresLoudness: Bool

    /// What cannot be taken back any more before it is heard.
    private static let reach = Duration.milliseconds(40)

    init(_ output: any SoundOutput, measuresLoudness: Bool) {
        self.output = output
        self.measuresLoudness = measuresLoudness
    }

    /// The number of the sample that is heard now.
    var heard: Int64 { min(next, map.sample(at: output.heard)) }

    /// How much of what was written has not been heard.
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

    /// Asks for a stream of another format, with a tape of its own.
    func open(_ format: PCMFormat, isPaused: Bool) {
        tape = Tape(format, after: tape, measuresLoudness: measuresLoudness)
        (next, hasStream) = (0, false)
        map.restart(at: 0)
        output.open(format, isPaused: isPaused)
    }

    /// There is a stream, and nothing in it: what has not been heard is written again.
    func opened() {
        hasStream = true
        if let tape {
            next = max(tape.start, min(next, tape.end))
            tape.rise(from: next)
        }
        map.restart(at: next)
        applyRate()
    }

    /// The stream has gone, with what was not heard of it.
    func lost() {
        if hasStream, let tape { next = max(tape.start, heard) }
        hasStream = false
    }

    /// Plays faster by so many parts per million.
    func setCorrection(_ correction: Double) {
        self.correction = correction
        applyRate()
    }

    private func applyRate() {
        guard hasStream, let tape else { return }
        let rate = tape.format.sampleRate
        let wanted = Int((Double(rate) * (1 + correction / 1e6)).rounded())
        // Back at exactly its own rate a server's resampler may stop, and drop what it holds.
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

    /// Writes silence before the next sample, as much as is wanted, or as lies before it is due. Whether nothing is
    /// left to be written before it.
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

    /// Takes written samples back: the next one that is written has this number.
    func takeBack(to sample: Int64) {
        let count = next - sample
        if count > 0 { output.write(UnsafeBufferPointer(start: nil, count: 0), rewind: Int(count)) }
        next = sample
        map.go(on: output.written, with: next)
    }

    /// Takes back what was written and not heard.
    func takeBackAll() { if hasStream { takeBack(to: heard) } }

    // MARK: Fades

    /// Takes back what can still be another sample than was written, and writes its beginning again as a fade. Returns
    /// the number of the sample at which the fade begins; nil where nothing is being heard.
    @discardableResult
    func fadeOut() -> Int64? {
        guard hasStream, let tape, unheard > .zero else { return nil }
        let cut = max(tape.start, min(next, heard + Int64(tape.format.samples(in: Self.reach))))
        takeBack(to: cut)
        write(upTo: tape.fall(from: cut))
        return cut
    }

    /// Goes back on the tape, without taking anything back from the output.
    func rewind(to sample: Int64) { next = sample }

    /// What is written next fades in.
    func fadeIn() {
        guard let tape else { return }
        tape.rise(from: next)
        map.go(on: output.written, with: next)
    }

    /// Drops what is on the tape and was not written.
    func dropUnwritten() {
        guard let tape else { return }
        tape.truncate(to: next)
        next = tape.end
        map.go(on: output.written, with: next)
    }
}
