// SPDX-License-Identifier: MIT

package import RadioCore

/// The state machine of a player: events in, state and orders out. A value, without clocks or I/O.
///
/// The state is not stored but follows from facts (``state``), so that no two flags can disagree. Each event changes
/// facts, and the orders are the difference between what the sound does and what it should do.
package struct PlaybackMachine: Hashable, Sendable {
    /// An input of the machine.
    package enum Event: Hashable, Sendable {
        case begin
        /// The programme's first audio has arrived: its format is known.
        case audioCame
        /// Enough audio is buffered to start or resume.
        case filled
        /// All buffered audio has been heard. The cause says why there is no more.
        case starved(RebufferCause)
        /// The cause of a wait has changed.
        case waiting(RebufferCause)
        /// The programme has ended: no audio follows the audio handed over so far.
        case programmeEnded(Failure?)
        /// Another programme follows after all.
        case programmeFollows
        /// The sound output is available.
        case outputOpened
        /// The sound output is lost for now.
        case outputLost(Failure)
        /// The sound server asks for silence, or no longer does.
        case held(Bool)
        /// The frames cannot be decoded at all.
        case decodingFailed(Failure)
        case pause
        case resume
        /// The buffered audio was dropped, and no other audio has replaced it yet.
        case dropped
        /// Playback jumps to another place: the audio buffered so far does not count.
        case jump
        case stop(PlaybackStopReason)
        /// All audio has been heard.
        case drained
        /// The sound has faded after ``Order/close``.
        case silent
        /// No sound server became available in the time given; the failure is reported if no other is known.
        case gaveUp(Failure)
    }

    /// A command to the sound.
    package enum Order: Hashable, Sendable {
        /// Play.
        case sound
        /// Fade out, and keep the audio not yet heard.
        case hush
        /// Fade out, drop the audio not yet heard, and report when it is silent.
        case close
        /// The player has stopped.
        case finish
    }

    private enum Phase: Hashable {
        case idle, running, stopping, stopped
    }

    private var phase = Phase.idle
    private var hasAudio = false
    private var isFilled = false
    private var hasPlayed = false
    private var hasEnded = false
    private var isPaused = false
    private var isHeld = false
    private var outputFailure: Failure?
    private var hasOutput = false
    private var waitCause = RebufferCause.slow
    private var stopReason = PlaybackStopReason.none
    private var failure: PlaybackError?
    /// Whether the last order to the sound was to play.
    private var isSounding = false

    package var status: PlaybackStatus {
        var status = PlaybackStatus()
        status.state = state
        status.stopReason = stopReason
        status.error = failure ?? outputFailure.map { PlaybackError(.output, $0) }
        status.isHeld = isHeld
        return status
    }

    package var state: PlaybackState {
        switch phase {
        case .idle: return .idle
        case .stopping: return .stopping
        case .stopped: return .stopped
        case .running: break
        }
        if isPaused || isHeld { return .paused }
        guard hasOutput else { return hasPlayed ? .rebuffering(.outputLost) : .opening }
        if hasEnded, hasAudio { return .draining }
        guard hasAudio else { return hasPlayed ? .rebuffering(waitCause) : .opening }
        if isFilled { return .playing }
        return hasPlayed ? .rebuffering(waitCause) : .prebuffering
    }

    /// Applies an event, and returns the orders that follow from it, in order.
    package mutating func handle(_ event: Event) -> [Order] {
        guard phase != .stopped else { return [] }
        if phase == .stopping {
            // While the player is stopping, only the end of the fade, or of the output, still matters.
            switch event {
            case .silent, .drained, .outputLost, .gaveUp: return finish()
            default: return []
            }
        }
        apply(event)
        return orders
    }

    private mutating func apply(_ event: Event) {
        switch event {
        case .begin: if phase == .idle { phase = .running }
        case .audioCame: hasAudio = true
        case .filled: isFilled = true
        case .starved(let cause):
            isFilled = false
            waitCause = cause
        case .waiting(let cause): waitCause = cause
        case .programmeEnded(let failure):
            hasEnded = true
            if let failure { self.failure = PlaybackError(.programme, failure) }
            if !hasAudio { stop(failure == nil ? .endOfStream : .error) }
        case .programmeFollows:
            hasEnded = false
            if failure?.stage != .output { failure = nil }
        case .outputOpened: (hasOutput, outputFailure) = (true, nil)
        // A hold ends with the stream that it belongs to.
        case .outputLost(let failure): (hasOutput, outputFailure, isHeld) = (false, failure, false)
        case .held(let isHeld): self.isHeld = isHeld
        case .decodingFailed(let failure):
            self.failure = PlaybackError(.decoding, failure)
            stop(.error)
        case .pause: isPaused = true
        case .resume: isPaused = false
        case .dropped: (hasAudio, isFilled, hasPlayed) = (false, false, false)
        case .jump: isFilled = false
        case .stop(let reason): stop(reason)
        case .drained: if hasEnded { stop(failure == nil ? .endOfStream : .error) }
        case .silent: break
        case .gaveUp(let failure):
            guard !hasOutput else { return }
            self.failure = PlaybackError(.output, outputFailure ?? failure)
            stop(.error)
        }
    }

    private mutating func stop(_ reason: PlaybackStopReason) {
        switch phase {
        case .idle: phase = .stopped
        case .running: phase = .stopping
        case .stopping, .stopped: return
        }
        stopReason = reason
    }

    /// The difference between what the sound does and what it should do.
    private var orders: [Order] {
        mutating get {
            if phase == .stopped { return [.finish] }
            if phase == .stopping {
                // Without sound there is nothing to fade.
                guard hasOutput, isSounding, stopReason != .endOfStream else { return finish() }
                isSounding = false
                return [.close]
            }
            let state = state
            let shouldSound = state == .playing || state == .draining
            if shouldSound { hasPlayed = true }
            guard shouldSound != isSounding else { return [] }
            isSounding = shouldSound
            return [shouldSound ? .sound : .hush]
        }
    }

    private mutating func finish() -> [Order] {
        phase = .stopped
        isSounding = false
        return [.finish]
    }
}
