// SPDX-License-Identifier: MIT

/// The life of a player, from nothing to stopped: facts in, state and orders out. A value, without clocks or I/O.
///
/// The state is not stored: it follows from what is known (``state``), so that no two flags can disagree. Each event
/// changes facts, and what the sound is to do is the difference that this makes.
package struct PlaybackMachine: Hashable, Sendable {
    /// What happens.
    package enum Event: Hashable, Sendable {
        case begin
        /// The programme has audio: its format is known.
        case audioCame
        /// Enough audio is at hand to begin, or to go on.
        case filled
        /// All audio at hand has been heard, and why there is no more.
        case starved(RebufferCause)
        /// The cause of a wait has changed.
        case waiting(RebufferCause)
        /// The programme is over: what was handed over is all there is.
        case programmeEnded(Failure?)
        /// Another programme follows after all.
        case programmeFollows
        /// The sound output is there, or lost for now.
        case outputOpened
        case outputLost(Failure)
        /// The sound server wants silence, or does not any more.
        case held(Bool)
        /// The frames cannot be decoded at all.
        case decodingFailed(Failure)
        case pause
        case resume
        /// What is at hand is not heard after all, and nothing else is there yet.
        case dropped
        /// The place of what is heard changes: what is at hand now does not count.
        case jump
        case stop(StopReason)
        /// Everything has been heard.
        case drained
        /// The sound has faded after ``Order/close``.
        case silent
        /// No sound server could be had in the time that was given; the failure is told where none is known.
        case gaveUp(Failure)
    }

    /// What the sound is to do.
    package enum Order: Hashable, Sendable {
        /// Be heard.
        case sound
        /// Fade out, and keep what has not been heard.
        case hush
        /// Fade out, drop what has not been heard, and say when it is silent.
        case close
        /// Everything is over.
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
    private var stopReason = StopReason.none
    private var failure: PlaybackError?
    /// What the sound was told last.
    private var isSounding = false

    package init() {}

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

    /// Changes the facts, and returns what the sound has to do now, in order.
    package mutating func handle(_ event: Event) -> [Order] {
        guard phase != .stopped else { return [] }
        if phase == .stopping {
            // Only the end of the fade, or of the output, matters any more.
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
        // A hold belongs to the stream that is gone.
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

    private mutating func stop(_ reason: StopReason) {
        switch phase {
        case .idle: phase = .stopped
        case .running: phase = .stopping
        case .stopping, .stopped: return
        }
        stopReason = reason
    }

    /// The difference between what the sound does and what it should.
    private var orders: [Order] {
        mutating get {
            if phase == .stopped { return [.finish] }
            if phase == .stopping {
                // What is not heard needs no fade.
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
