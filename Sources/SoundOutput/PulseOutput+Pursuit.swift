// SPDX-License-Identifier: MIT

import CLibPulse
import Instants
import RadioCore

// Keeps a stream alive: acts on the passing of time, and on the events of the server.
extension PulseOutput {
    /// Does what is due: connects, requests the stream, drops a server that does not answer.
    func pursue(at now: MonotonicInstant) {
        guard wantsConnection, prepareLoop() else { return }
        if connection == nil {
            if retry.isDue(at: now) { connect(at: now) }
        } else if let since = connectingSince {
            if now - since >= Self.patience { tell(.lost(.hangs)) }
            if now - since >= Self.connectLimit { dropConnection(retryingAt: now) }
        } else if let playing {
            judge(playing, at: now)
        } else if let wish, streamRetry.isDue(at: now) {
            makeStream(wish, at: now)
        }
    }

    /// When ``pursue(at:)`` is due again; nil if only the server can change anything.
    func nextInstant(after now: MonotonicInstant) -> MonotonicInstant? {
        guard wantsConnection, loop != nil else { return nil }
        if connection == nil { return retry.next ?? now }
        if let since = connectingSince {
            return since + (now - since < Self.patience ? Self.patience : Self.connectLimit)
        }
        if let playing { return playing.nextInstant }
        return wish == nil ? nil : streamRetry.next ?? now
    }

    private func connect(at now: MonotonicInstant) {
        guard let loop else { return }
        do throws(PulseFailure) {
            connection = try PulseConnection(loop: loop, settings: settings)
            connectingSince = now
        } catch {
            retry.failed(at: now)
            tell(.lost(loss(of: error, wasConnected: false)))
        }
    }

    /// Ends the connection. The next attempt is due at once if `failure` is nil, or else as the retry plan says.
    private func dropConnection(retryingAt failure: MonotonicInstant?) {
        playing = nil
        connection = nil
        connectingSince = nil
        if let failure { retry.failed(at: failure) } else { retry = RetryPlan() }
        streamRetry = RetryPlan()
        wish?.takesAnyDevice = false
    }

    private func makeStream(_ wish: Wish, at now: MonotonicInstant) {
        guard let connection else { return }
        do throws(PulseFailure) {
            playing = try PulsePlaying(
                newStream(wish, on: connection), wish: wish, mixing: mixing, start: settings.start, at: now)
        } catch {
            streamRetry.failed(at: now)
            tell(.lost(.refused(error.words)))
        }
    }

    private func newStream(_ wish: Wish, on connection: PulseConnection) throws(PulseFailure) -> PulseStream {
        func bytes(_ duration: Duration) -> UInt32 {
            UInt32(clamping: max(1, wish.format.samples(in: duration)) * wish.format.bytesPerSample)
        }
        let title = CopiedText(mixing.title)
        // If the requested device has gone, the sound continues on another device.
        let device = wish.takesAnyDevice ? nil : settings.device.map(CopiedText.init)
        let plan = ac_pulse_stream_plan(
            rate: CInt(clamping: wish.rate), channels: CInt(clamping: wish.format.channels), title: title.start,
            device: device?.start, target_bytes: bytes(settings.buffer), start_bytes: bytes(settings.start),
            request_bytes: bytes(settings.request), is_corked: true,
            has_variable_rate: wish.hasVariableRate, volume: mixing.volume ?? -1,
            muted: mixing.isMuted.map { $0 ? 1 : 0 } ?? -1)
        defer { withExtendedLifetime((title, device)) {} }
        return try PulseStream(on: connection, format: wish.format, plan: plan)
    }

    private func judge(_ playing: PulsePlaying, at now: MonotonicInstant) {
        switch playing.verdict(at: now) {
        case .asExpected: break
        case .underrun: tell(.underrun)
        case .drained: tell(.drained)
        case .hangs:
            dropConnection(retryingAt: nil)
            tell(.lost(.hangs))
        }
    }

    // MARK: Events of the server

    /// Handles the signals that libpulse's callbacks have queued.
    func receive(at now: MonotonicInstant) {
        while let signal = connection?.take() { receive(signal, at: now) }
        while let playing, let signal = playing.stream.take() { receive(signal, of: playing, at: now) }
    }

    private func receive(_ signal: PulseConnection.Signal, at now: MonotonicInstant) {
        guard let connection else { return }
        switch signal {
        case .ready:
            connectingSince = nil
            retry = RetryPlan()
            connection.subscribe()
        case .failed:
            let wasConnected = connectingSince == nil
            let loss = loss(of: connection.failure, wasConnected: wasConnected)
            dropConnection(retryingAt: wasConnected ? nil : now)
            if wantsConnection { tell(.lost(loss)) }
        case .sinkInputChanged(let index):
            if playing?.stream.index == index { connection.askVolume(of: index) }
        case .volume(let index, let volume, let isMuted):
            if let playing, playing.stream.index == index { mirror(volume, isMuted, of: playing) }
        case .device, .devicesEnd: break
        }
    }

    private func receive(_ signal: PulseStream.Signal, of playing: PulsePlaying, at now: MonotonicInstant) {
        switch signal {
        case .ready: streamIsReady(playing, at: now)
        case .failed: streamFailed(playing, at: now)
        case .wanted:
            playing.signed(at: now)
            noteEvent()
        case .underflow: playing.underflowed(at: now)
        case .started: if playing.started(at: now) { tell(.started) }
        case .moved(let isOtherDevice):
            playing.signed(at: now)
            if isOtherDevice, let device = playing.stream.device { tell(.moved(device: device)) }
        case .asked("request-cork"): hold(playing, true, at: now)
        case .asked("request-uncork"): hold(playing, false, at: now)
        case .asked: break
        case .timing: playing.learn(at: now)
        case .answered(AC_PULSE_DRAIN, _): if playing.drained() { tell(.drained) }
        case .answered(let request, _):
            playing.answered(at: now)
            if request == AC_PULSE_CORK { playing.corkAnswered(at: now) }
        }
    }

    private func hold(_ playing: PulsePlaying, _ isHeld: Bool, at now: MonotonicInstant) {
        playing.setHeld(isHeld, at: now)
        tell(.heldByServer(isHeld))
    }

    private func streamIsReady(_ playing: PulsePlaying, at now: MonotonicInstant) {
        guard let connection, let wish else { return }
        streamRetry = RetryPlan()
        self.wish?.hasBeenOnDevice = true
        self.wish?.takesAnyDevice = false
        playing.becameReady(wish: wish, at: now)
        catchUp(playing, at: now)
        connection.askVolume(of: playing.stream.index)
        tell(.opened)
    }

    private func streamFailed(_ playing: PulsePlaying, at now: MonotonicInstant) {
        guard let connection else { return }
        let failure = connection.failure
        self.playing = nil
        if playing.isReady {
            streamRetry = RetryPlan()
            tell(.lost(failure.error == CInt(AC_PULSE_KILLED) ? .deviceGone : .gone(failure.words)))
            return
        }
        let isUnknown = failure.error == CInt(AC_PULSE_NO_ENTITY)
        if isUnknown, let wish, wish.hasBeenOnDevice, !wish.takesAnyDevice, settings.device != nil {
            self.wish?.takesAnyDevice = true
            return
        }
        streamRetry.failed(at: now)
        let device = isUnknown && wish?.takesAnyDevice == false ? settings.device : nil
        self.wish?.takesAnyDevice = false
        tell(.lost(device.map { .noDevice($0) } ?? .refused(failure.words)))
    }

    private func loss(of failure: PulseFailure, wasConnected: Bool) -> SoundError {
        if wasConnected { return .gone(failure.words) }
        let isRefusal = [CInt(AC_PULSE_ACCESS), CInt(AC_PULSE_AUTH_KEY)].contains(failure.error)
        return isRefusal ? .refused(failure.words) : .noServer(failure.words)
    }
}
