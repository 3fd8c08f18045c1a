// SPDX-License-Identifier: MIT

package import Decoding
package import Instants
import RadioCore
package import RadioFormats
package import SoundOutput

/// Plays frames: takes them from a pipe, decodes them, fades where necessary, and writes the PCM to a sound output.
/// Confined to the sound thread; nothing here waits.
///
/// ``turn(_:at:)`` does all work that is possible, and ``deadline`` says when the next turn is due by time alone. The
/// tape keeps the audio that the output holds and has not played: a pause takes this audio back and fades, and a
/// restarted server gets it again.
package final class Voice {
    private enum Phase {
        /// The output is paused; written samples wait.
        case hushed
        /// The output plays silence, until the next sample is due at this instant.
        case awaiting(MonotonicInstant)
        case sounding
        /// The output fades out, until `written` samples have been heard, or until `latest`.
        case fading(written: Int64, latest: MonotonicInstant, closes: Bool)
        case closed
    }

    private let output: any SoundOutput
    private let stage: DecodingStage
    private let onNotice: (VoiceNotice) -> Void
    private let measuresLoudness: Bool
    private let head: Playhead
    /// The kind of the next tape. A stream for it is opened once all audio on the tape has been heard.
    private var nextKind: TapeKind?
    private var phase = Phase.hushed
    private var isDry = false
    private var isAtEnd = false
    private var isDraining = false
    /// The value of ``DecodingStage/taken`` when the voice last asked for more frames.
    private var takenWhenHungry = 0
    private var lastReport: VoiceReport?
    private var now = MonotonicInstant(nanoseconds: 0)

    /// How much audio is decoded ahead even if the output has no room.
    private static let least = Duration.milliseconds(100)
    /// If no frames come and no more than this is left in the output, the last samples fade out.
    private static let nearlyOut = Duration.milliseconds(120)
    private static let silencePause = Duration.milliseconds(100)
    private static let longestFade = Duration.milliseconds(500)

    package init(
        _ output: any SoundOutput, _ pipe: FramePipe, measuresLoudness: Bool,
        makeDecoder: @escaping (StreamFormat) throws(DecodingError) -> any Decoding,
        tell: @escaping (VoiceNotice) -> Void
    ) {
        self.output = output
        onNotice = tell
        self.measuresLoudness = measuresLoudness
        head = Playhead(output, measuresLoudness: measuresLoudness)
        stage = DecodingStage(pipe, makeDecoder)
        output.onEvent = { [unowned self] in heard($0) }
    }

    /// Whether the voice is closed for good.
    package var isClosed: Bool {
        if case .closed = phase { true } else { false }
    }

    private var tape: Tape? { head.tape }

    /// Carries out commands, decodes and writes as much as is wanted, and reports what has been heard.
    package func turn(_ commands: [VoiceCommand], at now: MonotonicInstant) {
        self.now = now
        if stage.takeRestart() { jump() }
        for command in commands { perform(command) }
        settle()
        fill()
        report()
    }

    /// The descriptor whose readability makes a turn due: the decoder's, while the voice waits for PCM. Nil if there is
    /// none.
    package var awaited: CInt? {
        switch phase {
        case .closed, .fading: nil
        case .hushed, .awaiting, .sounding: isDry ? stage.descriptor : nil
        }
    }

    /// The time at which the next turn is due by time alone; nil if only an event can make it due.
    package var deadline: MonotonicInstant? {
        switch phase {
        case .closed, .hushed: return nil
        case .awaiting: return now + Self.silencePause
        case .fading(let written, let latest, _):
            return min(latest, now + head.time(for: max(1, written - output.heard)))
        case .sounding:
            guard head.hasStream, let tape else { return nil }
            var due: [Duration] = []
            if let cue = tape.nextCue, cue < head.next { due.append(head.time(for: max(1, cue - head.heard))) }
            if isDry, !isAtEnd, head.next < tape.end {
                due.append(max(.milliseconds(1), head.unheard - Self.nearlyOut))
            }
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
        case .rate(let correction): head.setCorrection(correction)
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

    /// Begins to play silence, because only a playing output knows when a sample will be heard.
    private func awaitSound(at instant: MonotonicInstant) {
        phase = .awaiting(instant)
        head.takeBackAll()
        writeSilence(until: instant)
        output.setPaused(false)
    }

    private func writeSilence(until instant: MonotonicInstant) {
        if head.writeSilence(for: instant - now) { phase = .sounding }
    }

    private func soundNow() {
        phase = .sounding
        output.setPaused(false)
    }

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
            guard let cut = head.fadeOut() else { return endFade(closes: closes) }
            // Playback resumes where the fade began.
            head.rewind(to: cut)
            phase = .fading(written: output.written, latest: now + Self.longestFade, closes: closes)
        }
        isDraining = false
    }

    private func endFade(closes: Bool = false) {
        if closes { return close() }
        output.setPaused(true)
        head.fadeIn()
        phase = .hushed
    }

    private func close() {
        phase = .closed
        output.close()
        tell(.silent)
    }

    /// Handles a restart of the pipe: drops audio not yet heard. The next frames are from another place.
    private func jump() {
        (isDry, isAtEnd, isDraining, nextKind) = (false, false, false, nil)
        switch phase {
        case .sounding: if head.fadeOut() == nil { head.takeBackAll() }
        case .fading: break
        case .hushed, .awaiting, .closed: head.takeBackAll()
        }
        head.dropUnwritten()
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
            if let tape, tape.readyEnd - head.next >= Int64(wanted) { break }
            switch stage.advance(nextKind == nil ? tape : nil) {
            case .more: continue
            case .newTape(let kind): guard begin(kind) else { return }
            case .dry:
                isDry = true
                fadeLastSamples()
            case .ended: isAtEnd = true
            case .failed(let error, let source):
                // The player decides what follows; later frames may be decodable.
                tell(.failed(error, source: source))
            }
            if isDry || isAtEnd { break }
        }
        tellHunger()
        if isAtEnd, tape == nil, !isDraining {
            // No frame gave PCM, so there is no stream to report that all has been heard.
            isDraining = true
            return tell(.output(.drained))
        }
        guard head.hasStream, writes, let tape else { return }
        head.write(upTo: min(tape.readyEnd, head.next + Int64(head.room)))
        drainAtEnd()
    }

    /// Asks for more frames with an event of its own: if the last frames gave no sound, there is no report that asks
    /// for them.
    private func tellHunger() {
        guard isDry, stage.taken != takenWhenHungry else { return }
        takenWhenHungry = stage.taken
        tell(.hungry)
    }

    /// How many samples to decode ahead of the last written sample: what the output has room for, at most half of a
    /// tape.
    private func wantedSamples(forOutput: Bool) -> Int {
        guard let tape else { return 1 }
        let room = forOutput ? head.room : 0
        return min(max(room, tape.format.samples(in: Self.least)), tape.capacity / 2)
    }

    /// Fades the last samples out if no frames come and little is left, so that the sound does not end with a click.
    private func fadeLastSamples() {
        guard let tape, head.hasStream, case .sounding = phase, head.next < tape.end, head.unheard <= Self.nearlyOut
        else { return }
        tape.breakHere()
    }

    private func drainAtEnd() {
        guard isAtEnd, head.hasStream, let tape, head.next == tape.end, case .sounding = phase else { return }
        drain()
    }

    private func drain() {
        guard !isDraining else { return }
        isDraining = true
        output.drain()
    }

    /// Opens a stream for another kind of tape. If the tape still has audio that has not been heard, whether or not
    /// that audio has begun to play, returns false instead, and keeps the kind for later.
    private func begin(_ kind: TapeKind) -> Bool {
        guard let before = tape, !head.isDone else {
            open(kind)
            return true
        }
        nextKind = kind
        before.close()
        guard head.hasStream, case .sounding = phase else { return false }
        head.write(upTo: before.end)
        drain()
        return false
    }

    private func open(_ kind: TapeKind) {
        let isPaused = if case .sounding = phase { false } else { true }
        (nextKind, isDraining) = (nil, false)
        head.open(kind, isPaused: isPaused)
    }
}

// MARK: - What has been heard

extension Voice {
    private func tell(_ event: VoiceEvent) { onNotice(VoiceNotice(event: event, generation: stage.generation)) }

    private func heard(_ event: SoundEvent) {
        switch event {
        case .opened: head.opened()
        case .lost:
            head.lost()
            isDraining = false
            if case .fading(_, _, let closes) = phase { if closes { close() } else { phase = .hushed } }
        case .underrun:
            guard isDry, !isAtEnd, case .sounding = phase else { return }
            return tell(.starved)
        case .drained:
            guard isDraining else { return }
            isDraining = false
            if let kind = nextKind { return open(kind) }
            report()
        case .started, .heldByServer, .moved, .volume: break
        }
        tell(.output(event))
    }

    /// Ends a fade that is over, or continues the silence before a start.
    private func settle() {
        switch phase {
        case .fading(let written, let latest, let closes):
            if output.heard >= written || now >= latest { endFade(closes: closes) }
        case .awaiting(let instant): writeSilence(until: instant)
        case .hushed, .sounding, .closed: break
        }
    }

    /// Whether the output is playing the tape, so that the sample at the playhead is heard.
    private var isHeard: Bool {
        switch phase {
        case .sounding, .fading: true
        case .hushed, .awaiting, .closed: false
        }
    }

    private func report() {
        guard let tape, head.hasStream else { return }
        let sample = head.heard
        if isHeard {
            for cue in tape.takeCues(upTo: sample) { tell(.passed(cue)) }
        }
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
