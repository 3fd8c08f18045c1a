// SPDX-License-Identifier: MIT

package import Decoding
package import Instants
import RadioCore
package import RadioFormats
package import SoundOutput

/// What makes a player heard: frames out of a pipe, decoded, faded where they have to be, and written to a sound
/// output. Confined to the sound thread; nothing here waits.
///
/// ``turn(_:_:)`` does what can be done, and ``deadline`` says when there is more to do by itself. Audio that the output
/// has and has not played stays on the tape: a pause takes it back and fades, and a server that restarts gets it again.
package final class Voice {
    private enum Phase {
        /// The output is paused; what is written waits.
        case hushed
        /// The output plays silence, up to the sample that is heard at this instant.
        case awaiting(MonotonicInstant)
        case sounding
        /// The fade is over once so much of what was written has been heard, or at the latest at an instant.
        case fading(written: Int64, latest: MonotonicInstant, closes: Bool)
        case closed
    }

    private let output: any SoundOutput
    private let stage: DecodingStage
    private let onNews: (VoiceNews) -> Void
    private let measuresLoudness: Bool
    private var tape: Tape?
    /// What is on the tape is to be heard before PCM of another format.
    private var nextFormat: PCMFormat?
    /// The number of the sample that is written next.
    private var next: Int64 = 0
    private var map = CountMap()
    private var phase = Phase.hushed
    private var hasStream = false
    private var isDry = false
    private var isAtEnd = false
    private var isDraining = false
    private var correction = 0.0
    private var isNudged = false
    /// How many records had been taken when more were last asked for.
    private var takenWhenHungry = 0
    private var lastReport: VoiceReport?
    private var now = MonotonicInstant(nanoseconds: 0)

    /// So much is decoded before the output asks for it.
    private static let least = Duration.milliseconds(100)
    /// What cannot be taken back any more before it is heard.
    private static let reach = Duration.milliseconds(40)
    /// Where less than this is left and nothing comes, the last samples fade out.
    private static let nearlyOut = Duration.milliseconds(120)
    private static let silencePause = Duration.milliseconds(100)
    private static let longestFade = Duration.milliseconds(500)

    package init(
        _ output: any SoundOutput, _ pipe: FramePipe, measuresLoudness: Bool,
        makeDecoder: @escaping (StreamFormat) throws(DecodingError) -> any Decoding,
        tell: @escaping (VoiceNews) -> Void
    ) {
        self.output = output
        onNews = tell
        self.measuresLoudness = measuresLoudness
        stage = DecodingStage(pipe, makeDecoder)
        output.onEvent = { [unowned self] in heard($0) }
    }

    /// Whether it is closed for good.
    package var isClosed: Bool {
        if case .closed = phase { true } else { false }
    }

    /// Carries out commands, decodes and writes what is wanted, and tells what has been heard.
    package func turn(_ commands: [VoiceCommand], at now: MonotonicInstant) {
        self.now = now
        if stage.takeRestart() { jump() }
        for command in commands { perform(command) }
        settle()
        fill()
        report()
    }

    /// Where a turn is due as soon as it is readable: a decoder has to give what nothing else is left of. Nil where it is
    /// not asked for more.
    package var awaited: CInt? {
        switch phase {
        case .closed, .fading: nil
        case .hushed, .awaiting, .sounding: isDry ? stage.descriptor : nil
        }
    }

    /// When the next turn is due, whatever happens; nil where nothing is.
    package var deadline: MonotonicInstant? {
        switch phase {
        case .closed, .hushed: return nil
        case .awaiting: return now + Self.silencePause
        case .fading(let written, let latest, _):
            return min(latest, now + time(for: max(1, written - output.heard)))
        case .sounding:
            guard hasStream, let tape else { return nil }
            var due: [Duration] = []
            if let mark = tape.nextMark, mark < next { due.append(time(for: max(1, mark - heardSample))) }
            if isDry, !isAtEnd, next < tape.end { due.append(max(.milliseconds(1), unheard - Self.nearlyOut)) }
            return due.min().map { now + $0 }
        }
    }
}

// MARK: - Commands

extension Voice {
    private func perform(_ command: VoiceCommand) {
        switch command {
        case .sound(let instant): sound(at: instant)
        case .hush: fadeOut(closes: false)
        case .close: fadeOut(closes: true)
        case .rate(let correction):
            self.correction = correction
            applyRate()
        case .volume(let volume): output.setVolume(volume)
        case .mute(let isMuted): output.setMuted(isMuted)
        case .title(let title): output.setTitle(title)
        }
    }

    private func sound(at instant: MonotonicInstant?) {
        guard !isClosed else { return }
        if case .fading(_, _, closes: true) = phase { return }
        if case .fading = phase { endFade() }
        if let instant, instant > now { return awaitSound(at: instant) }
        fill()
        soundNow()
    }

    /// When a sample is heard is known only of an output that plays: so it plays silence first.
    private func awaitSound(at instant: MonotonicInstant) {
        phase = .awaiting(instant)
        if hasStream { takeBack(to: heardSample) }
        writeSilence(until: instant)
        output.setPaused(false)
    }

    /// Writes silence, as much as is wanted, or as lies before the instant.
    private func writeSilence(until instant: MonotonicInstant) {
        guard hasStream, let tape else { return }
        let samples = tape.format.samples(in: instant - now) - Int(output.written - output.heard)
        let count = max(0, min(samples, output.room))
        let silence = [Float](repeating: 0, count: count * tape.format.channels)
        silence.withUnsafeBufferPointer { output.write($0, rewind: 0) }
        guard count == samples || samples <= 0 else { return }
        map.go(on: output.written, with: next)
        phase = .sounding
    }

    private func soundNow() {
        phase = .sounding
        output.setPaused(false)
    }

    /// Takes back what can still be taken back, and writes its beginning again as a fade.
    private func fadeOut(closes: Bool) {
        switch phase {
        case .closed: return
        case .fading(let written, let latest, let closing):
            phase = .fading(written: written, latest: latest, closes: closes || closing)
        case .hushed, .awaiting:
            phase = .hushed
            output.setPaused(true)
            if closes { close() }
        case .sounding:
            guard hasStream, let tape, unheard > .zero else { return endFade(closes: closes) }
            let cut = nextCut(on: tape)
            takeBack(to: cut)
            let end = tape.fall(from: cut)
            write(end, of: tape)
            // What is heard next begins where the fade did.
            next = cut
            phase = .fading(written: output.written, latest: now + Self.longestFade, closes: closes)
        }
        isDraining = false
    }

    /// The first sample that can still be another one than was written.
    private func nextCut(on tape: Tape) -> Int64 {
        max(tape.start, min(next, heardSample + Int64(tape.format.samples(in: Self.reach))))
    }

    private func endFade(closes: Bool = false) {
        if closes { return close() }
        output.setPaused(true)
        if let tape {
            tape.rise(from: next)
            map.go(on: output.written, with: next)
        }
        phase = .hushed
    }

    private func close() {
        phase = .closed
        output.close()
        tell(.silent)
    }

    /// The pipe was restarted: what has not been heard is dropped, and what comes next is another place.
    private func jump() {
        (isDry, isAtEnd, isDraining, nextFormat) = (false, false, false, nil)
        guard let tape else { return }
        switch phase {
        case .sounding where hasStream && unheard > .zero:
            let cut = nextCut(on: tape)
            takeBack(to: cut)
            write(tape.fall(from: cut), of: tape)
        case .fading: break
        case .sounding, .hushed, .awaiting, .closed: if hasStream { takeBack(to: min(next, heardSample)) }
        }
        tape.truncate(to: next)
        next = tape.end
        map.go(on: output.written, with: next)
    }

    private func applyRate() {
        guard hasStream, let tape else { return }
        let rate = tape.format.sampleRate
        let wanted = Int((Double(rate) * (1 + correction / 1e6)).rounded())
        // Back at exactly its own rate a server's resampler may stop, and drop what it holds.
        isNudged = isNudged || wanted != rate
        output.setRate(isNudged && wanted == rate ? rate + 1 : wanted)
    }
}

// MARK: - Writing

extension Voice {
    /// Decodes and writes as much as is wanted now.
    private func fill() {
        guard !isClosed else { return }
        if case .fading = phase { return }
        let writes = if case .awaiting = phase { false } else { true }
        isDry = false
        while true {
            let wanted = wantedSamples(forOutput: writes)
            if let tape, tape.readyEnd - next >= Int64(wanted) { break }
            switch stage.advance(nextFormat == nil ? tape : nil) {
            case .more: continue
            case .newFormat(let format): guard begin(format) else { return }
            case .dry:
                isDry = true
                fadeLastSamples()
            case .ended: isAtEnd = true
            case .failed(let error):
                // What comes of it is the player's to say.
                tell(.failed(error))
                isDry = true
                fadeLastSamples()
            }
            if isDry || isAtEnd { break }
        }
        tellHunger()
        guard hasStream, writes, let tape else { return }
        write(min(tape.readyEnd, next + Int64(output.room)), of: tape)
        drainAtEnd()
    }

    /// What was handed over may all have been without sound: nothing else would say that more is wanted.
    private func tellHunger() {
        guard isDry, stage.taken != takenWhenHungry else { return }
        takenWhenHungry = stage.taken
        tell(.hungry)
    }

    /// How much is to be decoded ahead of what was written: what the output has room for, at most half of a tape.
    private func wantedSamples(forOutput: Bool) -> Int {
        guard let tape else { return 1 }
        let room = hasStream && forOutput ? output.room : 0
        return min(max(room, tape.format.samples(in: Self.least)), tape.capacity / 2)
    }

    /// Nothing comes, and little is left: the sound is not to end with a click.
    private func fadeLastSamples() {
        guard let tape, hasStream, case .sounding = phase, next < tape.end, unheard <= Self.nearlyOut else { return }
        tape.breakHere()
    }

    private func drainAtEnd() {
        guard isAtEnd, !isDraining, hasStream, let tape, next == tape.end, case .sounding = phase else { return }
        isDraining = true
        output.drain()
    }

    private func write(_ end: Int64, of tape: Tape) {
        guard end > next else { return }
        tape.read(next..<end) { output.write($0, rewind: 0) }
        next = end
    }

    /// Takes written samples back: the next one that is written has this number.
    private func takeBack(to sample: Int64) {
        let count = next - sample
        if count > 0 { output.write(UnsafeBufferPointer(start: nil, count: 0), rewind: Int(count)) }
        next = sample
        map.go(on: output.written, with: next)
    }

    /// PCM of another format needs another stream, once the one before has been heard, also where that has not begun
    /// yet. Whether it can begin now.
    private func begin(_ format: PCMFormat) -> Bool {
        guard let before = tape, next < before.end || (hasStream && unheard > .zero) else {
            open(format)
            return true
        }
        nextFormat = format
        before.close()
        guard hasStream, case .sounding = phase else { return false }
        write(before.end, of: before)
        if !isDraining {
            isDraining = true
            output.drain()
        }
        return false
    }

    private func open(_ format: PCMFormat) {
        let isPaused = if case .sounding = phase { false } else { true }
        tape = Tape(format, after: tape, measuresLoudness: measuresLoudness)
        (next, nextFormat, isDraining, hasStream) = (0, nil, false, false)
        map.restart(at: 0)
        output.open(format, isPaused: isPaused)
    }
}

// MARK: - What has been heard

extension Voice {
    private var heardSample: Int64 { min(next, map.sample(at: output.heard)) }

    private var unheard: Duration { time(for: output.written - output.heard) }

    private func time(for samples: Int64) -> Duration {
        .samples(samples, at: tape?.format.sampleRate ?? 48_000)
    }

    private func tell(_ event: VoiceEvent) { onNews(VoiceNews(event: event, generation: stage.generation)) }

    private func heard(_ event: SoundEvent) {
        switch event {
        case .opened:
            hasStream = true
            if let tape {
                next = max(tape.start, min(next, tape.end))
                tape.rise(from: next)
            }
            map.restart(at: next)
            applyRate()
        case .lost:
            if hasStream, let tape { next = max(tape.start, heardSample) }
            hasStream = false
            isDraining = false
            if case .fading(_, _, let closes) = phase { if closes { close() } else { phase = .hushed } }
        case .underrun:
            guard isDry, !isAtEnd, case .sounding = phase else { return }
            return tell(.starved)
        case .drained:
            guard isDraining else { return }
            isDraining = false
            if let format = nextFormat { return open(format) }
            report()
        case .started, .heldByServer, .moved, .volume: break
        }
        tell(.output(event))
    }

    /// Ends what time has ended.
    private func settle() {
        switch phase {
        case .fading(let written, let latest, let closes):
            if output.heard >= written || now >= latest { endFade(closes: closes) }
        case .awaiting(let instant): writeSilence(until: instant)
        case .hushed, .sounding, .closed: break
        }
    }

    private func report() {
        guard let tape, hasStream else { return }
        let sample = heardSample
        for mark in tape.takeMarks(upTo: sample) { tell(.passed(mark)) }
        guard tape.knows(sample) else { return }
        let (frame, heard) = tape.heard(upTo: sample)
        var report = VoiceReport(
            heard: heard, frame: frame, damagedFrames: stage.damagedFrames)
        report.format = tape.format
        if measuresLoudness, case .sounding = phase { report.loudness = tape.loudness(at: sample) }
        guard report != lastReport else { return }
        lastReport = report
        tell(.report(report))
    }
}
